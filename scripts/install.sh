#!/bin/sh
# Installs, from Debian's packages, the programs that Hostkeep's back ends are. What is there already is left alone, so
# it runs again in no time. Nothing is started and no configuration is changed: Hostkeep and its tests bring their own.
#
#   scripts/install.sh webspace   a host of webspaces: nginx, PHP, OpenSSH, MariaDB, btrfs, nftables
#   scripts/install.sh servers    a host of virtual servers: QEMU, nftables
#   scripts/install.sh images     what images of servers are built with: mmdebstrap, GRUB
#   scripts/install.sh dns        a name server: PowerDNS
#   scripts/install.sh tests      all of it, and what the tests ask, attack and look at it with
set -eu

webspace='nginx-light php8.2-fpm php8.2-cli php8.2-mysql php8.2-opcache openssh-server openssh-client openssl
  btrfs-progs acl mariadb-server mariadb-client nftables procps util-linux iproute2'
servers='qemu-system-x86 qemu-utils genisoimage openssl nftables iproute2 openssh-client openssh-server socat'
images='mmdebstrap e2fsprogs fdisk grub-common grub-pc-bin qemu-utils'
dns='pdns-server pdns-backend-sqlite3 sqlite3'
tests="$webspace $servers $images $dns pebble sshpass curl pdns-tools bind9-dnsutils knot libxml2-utils libnet-epp-perl whois
  busybox-static dropbear-bin qemu-guest-agent cpio kmod e2fsprogs syslinux syslinux-common mtools fdisk xz-utils iputils-ping opensmtpd dovecot-imapd chromium
  golang-github-microcosm-cc-bluemonday-dev librust-idna-dev"
kernel=/var/cache/hostkeep-qemu/kernel

case "${1:-}" in
  webspace) packages=$webspace ;;
  servers) packages=$servers ;;
  images) packages=$images ;;
  dns) packages=$dns ;;
  tests) packages=$tests ;;
  *)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

missing=
for package in $packages; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done

# The account that machines run as, and the kernel of Debian's cloud images for the tests' own.
machines=
case "$1" in
  servers | tests) getent passwd hostkeep-qemu >/dev/null || machines=yes ;;
esac
[ "$1" != tests ] || [ -e "$kernel/vmlinuz" ] || machines=yes
[ -n "$missing$machines" ] || exit 0

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "missing: $missing (root on Debian or Ubuntu can install it: scripts/install.sh $1)" >&2
  # The tests that need it will fail and say so; all others need not wait for it.
  [ "$1" = tests ] && exit 0
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

[ -n "$machines" ] || exit 0
getent passwd hostkeep-qemu >/dev/null ||
  useradd --system --no-create-home --home-dir / --shell /usr/sbin/nologin hostkeep-qemu
[ "$1" = tests ] || exit 0

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
