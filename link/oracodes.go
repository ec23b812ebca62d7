// ORA- codes and the reasons they stand for.

package link

var oraReasons = func() map[int]Reason {
	m := make(map[int]Reason)
	for reason, codes := range map[Reason][]int{
		ReasonTimeout:         {12170, 12525, 12535, 12606, 12608, 12609, 3136},
		ReasonCanceled:        {1013},
		ReasonDNS:             {12545},
		ReasonRefused:         {12541},
		ReasonUnreachable:     {12543, 12560},
		ReasonReset:           {3113, 3114, 3135, 12547, 12570, 12571},
		ReasonPeerClosed:      {12537},
		ReasonUnknownService:  {12504, 12505, 12514, 12521},
		ReasonACLDenied:       {12506, 12529},
		ReasonNoHandler:       {12516, 12518, 12519, 12520, 12523},
		ReasonLimit:           {18, 20, 2391},
		ReasonDBUnavailable:   {1033, 1034, 1089, 1090, 1092, 1109, 27101, 12526, 12527, 12528},
		ReasonListenerRefused: {12564, 1153},
		ReasonAuthFailed:      {1017, 1005, 28043, 12631},
		ReasonAccountLocked:   {28000},
		ReasonPasswordExpired: {28001, 28003, 28007},
		ReasonAuthProtocol:    {28040, 28041, 3134, 12650, 12660},
		ReasonPrivilege:       {1045, 1031},
		ReasonObjectMissing:   {942, 4043},
		ReasonSessionKilled:   {28, 1012, 2396, 2399},
		ReasonDBResources:     {30009, 4031, 4036, 1652},
		ReasonTLSUntrusted:    {29024, 28791},
		ReasonTLSNameMismatch: {29003},
		ReasonTLSHandshake:    {28860, 28864},
		ReasonProtocol:        {12592},
		ReasonWalletMissing:   {28759},
		ReasonWalletInvalid:   {28750, 28786, 29106},
		ReasonConfig:          {12154, 12533},
	} {
		for _, code := range codes {
			m[code] = reason
		}
	}
	return m
}()

// oraReason returns the reason of an ORA- code.
func oraReason(code int) Reason {
	if reason, ok := oraReasons[code]; ok {
		return reason
	}
	return ReasonORAOther
}
