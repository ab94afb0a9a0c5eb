#!/bin/sh
# Builds the image that the tests of the qemu driver boot: busybox, dropbear and QEMU's guest agent on Debian's cloud kernel, with a reader
# of NoCloud seeds. It boots from its disk as real cloud images do.
#   backend/test/image/build.sh <kernel directory of scripts/install.sh> <image.qcow2>
set -eu

kernel=$1 image=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The modules of the kernel that a machine on virtio needs; ACPI's button and evdev hear when it is to shut down.
modules="virtio_pci virtio_blk virtio_scsi sr_mod isofs virtio_net virtio_console virtio-rng button evdev"

initrd=$work/initrd
mkdir -p "$initrd/bin" "$initrd/proc" "$initrd/dev" "$initrd/root" "$initrd/sys" "$initrd/modules"
cp /bin/busybox "$initrd/bin/busybox"
install -m 0755 "$here/initrd-init" "$initrd/init"
version=$work/tree/lib/modules/6.0.0
mkdir -p "$version"
cp -r "$kernel/modules/." "$version"
depmod -b "$work/tree" 6.0.0
for module in $modules; do
  modprobe -d "$work/tree" -S 6.0.0 --show-depends "$module" | sed -n 's/^insmod \([^ ]*\).*/\1/p'
done | awk '!seen[$0]++' >"$work/order"
while read -r path; do
  cp "$path" "$initrd/modules/"
  basename "$path" >>"$initrd/modules/order"
done <"$work/order"
(cd "$initrd" && find . | cpio --quiet -o -H newc -R 0:0 | gzip -1) >"$work/initrd.gz"

root=$work/root
for directory in bin dev etc/acpi/PWRF etc/dropbear lib64 mnt proc root sys tmp usr/sbin var/lib/seed var/run; do
  mkdir -p "$root/$directory"
done
chmod 0700 "$root/root"
chmod 1777 "$root/tmp"
ln -s bin "$root/sbin"
cp /bin/busybox "$root/bin/busybox"
/bin/busybox --list | while read -r applet; do
  [ "$applet" = busybox ] || ln -s busybox "$root/bin/$applet"
done
for program in /usr/sbin/dropbear /usr/bin/dropbearkey /usr/sbin/qemu-ga; do
  cp "$program" "$root$(dirname "$program" | sed 's#/usr/bin#/bin#')/"
  ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
done
cp "$here/inittab" "$root/etc/inittab"
cp "$here/rc" "$root/etc/rc"
cp "$here/seed" "$root/etc/seed"
install -m 0755 "$here/chpasswd" "$root/usr/sbin/chpasswd"
printf '#!/bin/sh\nsync\numount -a -r\npoweroff -f\n' >"$root/etc/acpi/PWRF/00000080"
chmod 0755 "$root/etc/rc" "$root/etc/seed" "$root/etc/acpi/PWRF/00000080"
printf 'root:x:0:0:root:/root:/bin/sh\n' >"$root/etc/passwd"
printf 'root:*:19000:0:99999:7:::\n' >"$root/etc/shadow"
printf 'root:x:0:\n' >"$root/etc/group"
printf '/bin/sh\n' >"$root/etc/shells"
chmod 0600 "$root/etc/shadow"

# Sectors of 512 bytes: the boot partition from 2048 on, then the file system.
boot=49152 system=81920
raw=$work/disk.raw
truncate -s $(((2048 + boot + system) * 512)) "$raw"
printf 'start=2048, size=%d, type=c, bootable\nstart=%d, type=83\n' "$boot" $((2048 + boot)) |
  sfdisk -q --no-reread --no-tell-kernel -X dos "$raw"
dd if=/usr/lib/syslinux/mbr/mbr.bin of="$raw" bs=440 count=1 conv=notrunc status=none
partition="$raw@@$((2048 * 512))"
mformat -i "$partition" -T "$boot" -h 16 -s 32 ::
mcopy -i "$partition" "$kernel/vmlinuz" ::vmlinuz
mcopy -i "$partition" "$work/initrd.gz" ::initrd.gz
mcopy -i "$partition" "$here/syslinux.cfg" ::syslinux.cfg
syslinux --offset $((2048 * 512)) --install "$raw"
mke2fs -q -t ext4 -L root -d "$root" -E "offset=$(((2048 + boot) * 512)),root_owner=0:0" "$raw" $((system / 2))k
qemu-img convert -f raw -O qcow2 "$raw" "$image.new"
mv "$image.new" "$image"
