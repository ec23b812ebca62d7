// Where the kernel's view is not asked for.

//go:build !linux

package link

import "syscall"

// HasKernelView tells whether this operating system has a view to give.
const HasKernelView = false

func readKernel(syscall.RawConn) (KernelView, bool) { return KernelView{}, false }
