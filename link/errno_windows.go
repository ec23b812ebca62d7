package link

import "golang.org/x/sys/windows"

// errnos are Winsock's error numbers that an operator tells apart. The POSIX
// names in package syscall are never returned here.
var errnos = map[Reason][]error{
	ReasonRefused: {windows.WSAECONNREFUSED},
	// WSAEACCES: a firewall rule of this host.
	ReasonUnreachable: {windows.WSAEHOSTUNREACH, windows.WSAENETUNREACH, windows.WSAEHOSTDOWN, windows.WSAENETDOWN, windows.WSAEACCES},
	ReasonReset:       {windows.WSAECONNRESET, windows.WSAECONNABORTED, windows.WSAENETRESET},
	// WSAEADDRNOTAVAIL: no port is left, or this host has no address of that family.
	ReasonLocalResources: {windows.WSAEMFILE, windows.WSAENOBUFS, windows.ERROR_TOO_MANY_OPEN_FILES, windows.ERROR_NOT_ENOUGH_MEMORY, windows.WSAEADDRNOTAVAIL},
}
