//go:build !windows

package link

import "syscall"

// errnos are the operating system's error numbers that an operator tells apart.
var errnos = map[Reason][]error{
	ReasonRefused: {syscall.ECONNREFUSED},
	// EPERM and EACCES: a firewall rule of this host.
	ReasonUnreachable: {syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.EHOSTDOWN, syscall.ENETDOWN, syscall.EPERM, syscall.EACCES},
	ReasonReset:       {syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED},
	// EADDRNOTAVAIL: no port is left, or this host has no address of that family.
	ReasonLocalResources: {syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.EADDRNOTAVAIL},
}
