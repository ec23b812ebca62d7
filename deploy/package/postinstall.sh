#!/bin/sh
# After an installation or an upgrade. A first installation starts nothing:
# there is no target yet. An upgrade restarts what was running.
set -e

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart oranet_exporter.service
fi
