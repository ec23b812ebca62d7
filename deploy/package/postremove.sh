#!/bin/sh
# After a removal: systemd forgets the unit.
set -e

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
