-- Drops what create_user.sql created. Stop the exporters first: a user who is
-- logged on cannot be dropped (ORA-01940).
--
-- Without CASCADE on purpose: the exporter's user owns nothing, and one that
-- does is not the exporter's alone.

whenever sqlerror exit failure rollback
set verify off echo off feedback off

accept probe_user    char default 'PROBE'         prompt 'User to drop [PROBE]: '
accept probe_profile char default 'PROBE_PROFILE' prompt 'Profile to drop [PROBE_PROFILE]: '

drop user &probe_user;
drop profile &probe_profile;

prompt &probe_user and &probe_profile are dropped.
exit success
