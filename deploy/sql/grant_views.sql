-- Optional: lets the exporter hold its figures against what the server counts
-- itself. Without these grants it notices and goes without, quietly.
--
--   V_$MYSTAT, V_$STATNAME  round trips and bytes of its own session
--   V_$SESSION, V_$SQL      how long its own fetch kept the server busy
--
-- The last two show other users' sessions and SQL text as well: leave them out
-- where that is not wanted. READ, unlike SELECT, cannot lock rows.
--
-- Run as SYS, or on an Autonomous Database as ADMIN, in the same database as
-- create_user.sql.

whenever sqlerror exit failure rollback
set verify off echo off feedback off

accept probe_user char default 'PROBE' prompt 'User to grant to [PROBE]: '

grant read on sys.v_$mystat   to &probe_user;
grant read on sys.v_$statname to &probe_user;
grant read on sys.v_$session  to &probe_user;
grant read on sys.v_$sql      to &probe_user;

prompt Granted. The exporter finds out with its next session.
exit success
