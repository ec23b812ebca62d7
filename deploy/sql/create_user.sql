-- Creates the exporter's user and a profile for it. The user can log on, and
-- nothing else.
--
-- Run with SQL*Plus or SQLcl, connected to the pluggable database (not to
-- CDB$ROOT) as a user who may create users and profiles; on an Autonomous
-- Database that is ADMIN:
--
--   sqlplus admin@orders_low @create_user.sql
--
-- It asks for four values; the password does not show. An Autonomous Database
-- wants 12 to 30 characters with upper case, lower case and digits, without the
-- user's name. drop_user.sql undoes it.

whenever sqlerror exit failure rollback
set verify off echo off feedback off

accept probe_user     char   default 'PROBE'         prompt 'User to create [PROBE]: '
accept probe_profile  char   default 'PROBE_PROFILE' prompt 'Profile to create [PROBE_PROFILE]: '
accept probe_sessions number default 20              prompt 'Sessions of all exporters together [20]: '
accept probe_password char                           prompt 'Password: ' hide

begin
  if sys_context('USERENV', 'CON_NAME') = 'CDB$ROOT' then
    raise_application_error(-20000, 'this is CDB$ROOT; connect to the pluggable database that is probed');
  end if;
end;
/

create profile &probe_profile limit
  -- An exporter opens oranet_sessions_limit sessions, four by default. Count
  -- each twice, as an old and a new one overlap in an upgrade, and add some for
  -- "oranet_exporter check".
  sessions_per_user     &probe_sessions
  -- Ends what an exporter left behind whose host died. Probes that hold a
  -- session use it every few seconds: keep their intervals below these minutes.
  idle_time             10
  -- Sessions are held for as long as the exporter runs.
  connect_time          unlimited
  -- A minute of CPU for one call, in hundredths of a second. The fetch probe's
  -- query needs less than a second of it.
  cpu_per_call          6000
  -- An exporter tries a wrong password three times in the first hour. Ten leaves
  -- room for three exporters, and still stops whoever guesses.
  failed_login_attempts 10
  -- An hour, in days. Longer would let anybody who knows the name blind you.
  -- The exporter stops at a locked account: reload it once it is unlocked.
  password_lock_time    1/24
  -- A year, then a month in which logging on still works. Change the password,
  -- write the file, reload the exporter.
  password_life_time    365
  password_grace_time   30
  -- From 19.12 on the old and the new password can work side by side for a day:
  -- password_rollover_time 1
;

create user &probe_user identified by "&probe_password"
  profile &probe_profile
  account unlock;

undefine probe_password

grant create session to &probe_user;

prompt &probe_user is created. grant_views.sql lets it cross-check with the server's own counts.
exit success
