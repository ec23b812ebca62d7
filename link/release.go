// The release number as servers encode it at logon.

package link

import (
	"fmt"
	"strconv"
)

// release decodes AUTH_VERSION_NO. From 18c on the digits are packed as
// 8-8-4-8-4 bits, before that as 8-4-8-4-8 (node-oracledb
// lib/thin/connection.js). What cannot be read is empty.
func release(number string) string {
	n, err := strconv.ParseUint(number, 10, 32)
	if err != nil {
		return ""
	}
	major := n >> 24 & 0xff
	if major >= 18 {
		return fmt.Sprintf("%d.%d.%d.%d.%d", major, n>>16&0xff, n>>12&0x0f, n>>4&0xff, n&0x0f)
	}
	return fmt.Sprintf("%d.%d.%d.%d.%d", major, n>>20&0x0f, n>>12&0xff, n>>8&0x0f, n&0xff)
}
