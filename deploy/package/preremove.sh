#!/bin/sh
# Before a removal; dpkg says remove, rpm 0. An upgrade leaves the old process
# running until postinstall restarts it.
set -e

case "$1" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl disable --now oranet_exporter.service
	fi
	;;
esac
