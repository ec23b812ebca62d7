#!/bin/bash
# Makes the probe's user in the pluggable database, once, when the container has
# made the database.
set -euo pipefail

sqlplus -s -L / as sysdba <<SQL
WHENEVER SQLERROR EXIT FAILURE
SET DEFINE OFF
ALTER SESSION SET CONTAINER = FREEPDB1;
CREATE USER PROBE IDENTIFIED BY "$(</run/secrets/probe_password)";
GRANT CREATE SESSION TO PROBE;
SQL
