import type { SiteRef, WantedSite } from '../port.ts';
import type { Host } from './host.ts';
import { PlanRefused, type Step } from './plan.ts';
import { siteDirectory } from './storage.ts';

export const phpSocket = ({ settings }: Host, { username }: Pick<SiteRef, 'username'>) =>
  `${settings.run}/${username}/fpm/php.sock`;
export const phpConfiguration = ({ settings }: Host, { username }: Pick<SiteRef, 'username'>) =>
  `${settings.etc}/php/${username}.conf`;
export const phpPid = ({ settings }: Host, { username }: Pick<SiteRef, 'username'>) =>
  `${settings.run}/${username}/php.pid`;

const CHILDREN = 8;
const SYSTEM_MEMORY_MIB = 64;
/** Of compiled scripts, for each webspace. */
const OPCACHE_MIB = 32;
// Programs that run programs, and links, with which open_basedir can be got around.
const DISABLED = `exec,passthru,shell_exec,system,proc_open,proc_close,proc_get_status,proc_nice,proc_terminate,popen,
pcntl_exec,pcntl_fork,dl,symlink,link,posix_kill,posix_mkfifo,posix_setuid,posix_setgid,putenv,mail`;

function poolText(host: Host, site: WantedSite, program: string): string {
  const base = siteDirectory(host, site);
  const within = ['htdocs', 'private', 'tmp'].map((name) => `${base}/${name}/`).join(':');
  return `; Made by Hostkeep. Changes are lost.
; ${program}
[global]
error_log = ${base}/private/php-fpm.log
log_level = error
daemonize = yes
process.max = ${CHILDREN}

[${site.username}]
listen = ${phpSocket(host, site)}
pm = ondemand
pm.max_children = ${CHILDREN}
pm.process_idle_timeout = 30s
pm.max_requests = 500
request_terminate_timeout = 120s
chdir = ${base}/htdocs
security.limit_extensions = .php
php_admin_value[open_basedir] = ${within}
php_admin_value[disable_functions] = ${DISABLED.replaceAll('\n', '')}
php_admin_flag[enable_dl] = off
php_admin_flag[expose_php] = off
php_admin_flag[allow_url_include] = off
php_admin_value[memory_limit] = ${site.memoryMib}M
php_admin_value[sys_temp_dir] = ${base}/tmp
php_admin_value[upload_tmp_dir] = ${base}/tmp
php_value[session.save_path] = ${base}/tmp
php_admin_flag[log_errors] = on
php_admin_value[error_log] = ${base}/private/php.log
php_admin_flag[opcache.enable] = on
php_admin_flag[opcache.validate_permission] = on
php_admin_flag[opcache.validate_root] = on
env[HOME] = ${base}/private
env[TMPDIR] = ${base}/tmp
`;
}

// The master runs as the site's user from its first instruction on, with no way back: in namespaces of its own,
// where other sites' directories, other users' processes and their shared memory do not exist and what is temporary
// is the site's, and in a control group of its own, of whichever version the host has. Before that, root notes the
// process and opens the socket, which php-fpm takes over as it does from itself (FPM_SOCKETS): both are in directories
// where the site's user changes nothing, so that neither root nor nginx can be led elsewhere by them.
const LISTEN = `
  my ($path, @then) = @ARGV;
  $^F = 255;
  my $listening;
  my $before = umask 0111;
  socket($listening, PF_UNIX, SOCK_STREAM, 0) && bind($listening, pack_sockaddr_un($path))
    && listen($listening, 511) or die;
  umask $before;
  for (@then) { $_ .= fileno($listening) if /^FPM_SOCKETS=/ }
  exec { $then[0] } @then;
`;
const LAUNCH = `sites=$1 user=$2 run=$3 program=$4 conf=$5 uid=$6 memory=$7 processes=$8 mark=$9
for root in /sys/fs/cgroup /sys/fs/cgroup/unified; do
  [ -f "$root/cgroup.controllers" ] || continue
  grep -qw memory "$root/cgroup.controllers" || continue
  mkdir -p "$root/$mark"
  echo '+memory +pids +cpu' >"$root/cgroup.subtree_control" 2>/dev/null || true
  echo '+memory +pids +cpu' >"$root/$mark/cgroup.subtree_control" 2>/dev/null || true
  mkdir -p "$root/$mark/$user"
  echo "$memory" >"$root/$mark/$user/memory.max" || true
  echo "$processes" >"$root/$mark/$user/pids.max" || true
  echo $$ >"$root/$mark/$user/cgroup.procs" || true
done
for controller in memory pids; do
  [ -d "/sys/fs/cgroup/$controller" ] || continue
  [ -f "/sys/fs/cgroup/$controller/cgroup.procs" ] || continue
  group="/sys/fs/cgroup/$controller/$mark/$user"
  mkdir -p "$group"
  [ "$controller" = pids ] && echo "$processes" >"$group/pids.max"
  [ "$controller" = memory ] && echo "$memory" >"$group/memory.limit_in_bytes"
  echo $$ >"$group/cgroup.procs"
done
mkdir -p "$run/$user/base"
mount --bind "$sites/$user" "$run/$user/base"
mount -t tmpfs -o size=16k,mode=0755,nosuid,nodev none "$sites"
mkdir "$sites/$user"
mount --move "$run/$user/base" "$sites/$user"
mount --bind "$sites/$user/tmp" /tmp
mount --bind "$sites/$user/tmp" /var/tmp
mount -t tmpfs -o size=16m,mode=1777,nosuid,nodev,noexec none /dev/shm
mount -t proc -o nosuid,nodev,noexec,hidepid=invisible proc /proc
cd /
socket="$run/$user/fpm/php.sock"
echo $$ >"$run/$user/php.pid"
exec perl -MSocket -e '${LISTEN}' "$socket" setpriv --reuid "$uid" --regid "$uid" --clear-groups --no-new-privs --bounding-set=-all \\
  --inh-caps=-all env -i PATH=/usr/bin:/bin "FPM_SOCKETS=$socket=" "$program" -F -d opcache.memory_consumption=${OPCACHE_MIB} \\
  -d opcache.interned_strings_buffer=4 -d opcache.jit_buffer_size=0 --fpm-config "$conf" \\
  </dev/null >/dev/null 2>&1`;

// nohup, so that the master does not end with the connection that started it.
const START = `run=$1 user=$2 web=$3 uid=$4
shift 4
# Root's: what is mounted there, and by which programs, must not be the user's to choose.
install -d -o root -g root -m 0755 "$run/$user"
install -d -o root -g "$web" -m 0710 "$run/$user/fpm"
rm -f "$run/$user/fpm/php.sock" "$run/$user/fpm/php.pid" "$run/$user/php.pid"
nohup setsid unshare --mount --ipc --propagation private sh -euc "$@" </dev/null >/dev/null 2>&1 &
for wait in $(seq 1 250); do
  # It calls itself so when it has read its configuration.
  pid=$(cat "$run/$user/php.pid" 2>/dev/null) && [ "$(stat -c %u "/proc/$pid" 2>/dev/null)" = "$uid" ] &&
    grep -q '^php-fpm: master' "/proc/$pid/cmdline" 2>/dev/null && exit 0
  sleep 0.02
done
echo 'php-fpm does not start' >&2
exit 1`;
const STOP = `pid=$(cat "$1" 2>/dev/null) || exit 0
[ "$(stat -c %u "/proc/$pid" 2>/dev/null)" = "$2" ] || { rm -f "$1"; exit 0; }
kill -"$3" "$pid" 2>/dev/null || exit 0
for wait in $(seq 1 100); do
  grep -q '^State:[[:space:]]*[^Z]' "/proc/$pid/status" 2>/dev/null || { rm -f "$1"; exit 0; }
  sleep 0.05
done
# Not it alone: those that it started would go on.
kill -STOP "$pid" 2>/dev/null || true
pkill -KILL -P "$pid" || true
kill -KILL "$pid" 2>/dev/null || true
rm -f "$1"`;
const RUNS = `pid=$(cat "$1") && [ "$(stat -c %u "/proc/$pid")" = "$2" ] && [ -S "$3" ]`;

/** Refuses a version of PHP that the host does not have, before anything is changed. */
export function programOf(host: Host, version: string): string {
  const program = host.settings.php[version];
  if (program === undefined) throw new PlanRefused(`this host has no PHP ${version}`);
  return program;
}

/** A PHP master of the site's own, as it is wanted, and running. */
export function phpSteps(host: Host, site: WantedSite): Step[] {
  const { settings } = host;
  const program = programOf(host, site.phpVersion);
  const path = phpConfiguration(host, site);
  const text = poolText(host, site, program);
  const uid = String(site.uid);
  const memory = String((CHILDREN * site.memoryMib + SYSTEM_MEMORY_MIB) * 1024 * 1024);
  const running = ['sh', '-c', RUNS, 'sh', phpPid(host, site), uid, phpSocket(host, site)];
  const stop = (signal: string) => host.sh(STOP, phpPid(host, site), uid, signal);
  return [
    {
      name: 'php configuration',
      isDone: async () => (await host.read(path)) === text,
      async apply() {
        // The one that runs has another configuration, or is of another version: a new one takes its place.
        await stop('QUIT');
        await host.write(path, text, '0640', uid);
      },
      async undo() {
        await stop('TERM');
        await host.remove(path);
      },
    },
    {
      name: 'php',
      isDone: () => host.holds(running),
      async apply() {
        await stop('TERM');
        await host.sh(
          START,
          ...[settings.run, site.username, settings.webUser, uid],
          ...[LAUNCH, 'sh', settings.sites, site.username, settings.run, program, path, uid, memory],
          ...[String(settings.processes), settings.mark],
        );
      },
      undo: async () => void (await stop('TERM')),
    },
  ];
}
