// version: what was built.

package command

import (
	"context"
	"fmt"
	"io"

	"github.com/prometheus/common/version"
)

// Version prints build information.
func Version(_ context.Context, stdout, _ io.Writer) int {
	fmt.Fprintln(stdout, version.Print("oranet_exporter"))
	return OK
}
