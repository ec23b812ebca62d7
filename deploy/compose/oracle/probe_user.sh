#!/bin/bash
# Makes the probe's user in the pluggable database, once, when the container has
# made the database: by the script that a DBA runs elsewhere. It asks for user,
# profile and sessions, which stay as they are, and for the password.
set -euo pipefail

sqlplus -s -L / as sysdba <<SQL
WHENEVER SQLERROR EXIT FAILURE
ALTER SESSION SET CONTAINER = FREEPDB1;
@/sql/create_user.sql



$(</run/secrets/probe_password)
SQL
