#!/bin/sh
# Installs, from Debian's packages, the programs that Hostkeep's back ends are. What is there already is left alone, so
# it runs again in no time. Nothing is started and no configuration is changed: Hostkeep and its tests bring their own.
#
#   scripts/install.sh webspace   a host of webspaces: nginx, PHP, OpenSSH, MariaDB, btrfs, nftables
#   scripts/install.sh servers    a host of virtual servers: QEMU, nftables
#   scripts/install.sh images     what images of servers are built with: mmdebstrap, GRUB
#   scripts/install.sh dns        a name server: PowerDNS
#   scripts/install.sh ha         a cluster to prove fail-over with: PostgreSQL, Patroni, etcd, HAProxy
#   scripts/install.sh tests      all of it, and what the tests ask, attack and look at it with
#
# Several groups can be named at once. A test names those that it needs in a line `// Needs: …`, these beside the above:
#
#   machines     real machines for tests: servers, and what their image is made of
#   websites     webspace, and its visitors
#   nameservers  dns, and another name server beside it
#   resolvers    what asks name servers: dig, delv
#   authority    a certificate authority: Pebble
#   mail         a mail host: OpenSMTPD, Dovecot
#   browser      Chromium
#   epp          a registrar's client of another's making, and what validates XML
#   proxy        HAProxy, in front of processes
#   vectors      test cases of other projects
#   languages    what the reference's examples are written for: curl, Python
set -eu

webspace='nginx-light php8.2-fpm php8.2-cli php8.2-mysql php8.2-opcache openssh-server openssh-client openssl
  btrfs-progs acl mariadb-server mariadb-client nftables procps util-linux iproute2'
servers='qemu-system-x86 qemu-utils genisoimage openssl nftables iproute2 openssh-client openssh-server socat'
images='mmdebstrap e2fsprogs fdisk grub-common grub-pc-bin qemu-utils'
dns='pdns-server pdns-backend-sqlite3 sqlite3'
machines="$servers busybox-static dropbear-bin qemu-guest-agent cpio kmod e2fsprogs syslinux syslinux-common mtools
  fdisk xz-utils iputils-ping"
websites="$webspace sshpass curl"
nameservers="$dns pdns-tools knot"
resolvers='bind9-dnsutils'
authority='pebble openssl curl'
mail='opensmtpd dovecot-imapd curl'
browser='chromium'
epp='libxml2-utils libnet-epp-perl'
ha='postgresql patroni python3-etcd etcd-server haproxy faketime iproute2 util-linux mount'
proxy='haproxy'
languages='curl python3 uuid-runtime'
vectors='golang-github-microcosm-cc-bluemonday-dev librust-idna-dev'
tests="$machines $websites $nameservers $resolvers $authority $mail $browser $epp $vectors $languages $images $ha $proxy whois"
kernel=/var/cache/hostkeep-qemu/kernel

groups=$*
packages=
account= # that machines run as
tested=  # whether machines are for tests, with a kernel of their own
[ -n "$groups" ] || groups=none
for group in $groups; do
  case "$group" in
    webspace) packages="$packages $webspace" ;;
    servers) packages="$packages $servers" account=yes ;;
    images) packages="$packages $images" ;;
    dns) packages="$packages $dns" ;;
    machines) packages="$packages $machines" account=yes tested=yes ;;
    websites) packages="$packages $websites" ;;
    nameservers) packages="$packages $nameservers" ;;
    resolvers) packages="$packages $resolvers" ;;
    authority) packages="$packages $authority" ;;
    mail) packages="$packages $mail" ;;
    browser) packages="$packages $browser" ;;
    epp) packages="$packages $epp" ;;
    ha) packages="$packages $ha" ;;
    proxy) packages="$packages $proxy" ;;
    vectors) packages="$packages $vectors" ;;
    languages) packages="$packages $languages" ;;
    tests) packages="$packages $tests" account=yes tested=yes ;;
    *)
      sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
      exit 2
      ;;
  esac
done

missing=
for package in $packages; do
  case " $missing " in *" $package "*) continue ;; esac
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done

# The account that machines run as, and the kernel of Debian's cloud images for the tests' own.
[ -z "$account" ] || ! getent passwd hostkeep-qemu >/dev/null || account=
[ -z "$tested" ] || [ ! -e "$kernel/vmlinuz" ] || tested=
[ -n "$missing$account$tested" ] || exit 0

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "missing:${missing:- what machines need} (root on Debian or Ubuntu can install it: scripts/install.sh $groups)" >&2
  exit 1
fi

export DEBIAN_FRONTEND=noninteractive
apt() {
  apt-get -q -o DPkg::Lock::Timeout=600 "$@"
}

# Packages start their services where nothing says that they must not.
policy=/usr/sbin/policy-rc.d
made=
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 0755 "$policy"
  made=yes
fi
begun=$(mktemp -d)
trap 'rm -rf "$begun"; [ -z "$made" ] || rm -f "$policy"' EXIT

apt update
# Word by word, on purpose.
# shellcheck disable=SC2086
[ -z "$missing" ] || apt install -y --no-install-recommends $missing

[ -z "$account" ] ||
  useradd --system --no-create-home --home-dir / --shell /usr/sbin/nologin hostkeep-qemu
[ -n "$tested" ] || exit 0

# Unpacked and not installed.
image=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)$/\1/p' | head -n 1)
# As root, apt would else refuse to let its own user write here.
(cd "$begun" && apt -o APT::Sandbox::User=root download "$image")
dpkg-deb -x "$begun"/*.deb "$begun/root"
mkdir -p "$kernel"
rm -rf "$kernel/modules"
cp -r "$begun"/root/lib/modules/* "$kernel/modules.new"
mv -T "$kernel/modules.new" "$kernel/modules"
# The last of all: its presence says that the rest is there.
cp "$begun"/root/boot/vmlinuz-* "$kernel/vmlinuz.new"
mv "$kernel/vmlinuz.new" "$kernel/vmlinuz"
