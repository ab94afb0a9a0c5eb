import { type Executor, must, script } from '../../../host/executor.ts';

const WRITE_MS = 30 * 60_000;

/** What disks of the image have at least; cloud-init lets the file system grow to the disk's size. */
const SIZE = 2 * 1024 ** 3;
const SECTOR = 512;
/** GRUB's own partition ends where the root file system begins, and both GPTs need 33 sectors and a header. */
const GRUB_SECTOR = 34;
const ROOT_SECTOR = 2048;
const ROOT_SECTORS = SIZE / SECTOR - ROOT_SECTOR - 34;

// Root is the first partition by its number, and the last by its place, so that it can grow. Older GRUBs do not read what
// newer mke2fs write by default. The boot sector names the sector of GRUB's image, whose first one names the next.
const WRITE = `tree=$1 disk=$2 id=$3 size=$4 grub=$5 root=$6 sectors=$7 next=$8
truncate -s "$size" "$disk"
printf 'label: gpt\\nfirst-lba: %s\\n14: start=%s, size=%s, type=21686148-6449-6E6F-744E-656564454649\\n1: start=%s, size=%s, type=4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709\\n' \\
  "$grub" "$grub" "$((root - grub))" "$root" "$sectors" | sfdisk -q --no-reread --no-tell-kernel "$disk"
mke2fs -q -t ext4 -O ^metadata_csum_seed,^orphan_file -L root -U "$id" -d "$tree" \\
  -E "offset=$((root * 512)),root_owner=0:0" "$disk" "$((sectors / 2))k"
modules='biosdisk part_gpt ext2 normal configfile linux'
grub-mkimage -O i386-pc -p '(hd0,gpt1)/boot/grub' -o "$disk.core" $modules
[ "$(stat -c %s "$disk.core")" -le "$(((root - grub) * 512))" ] || { echo 'GRUB is too large' >&2; exit 1; }
little() { printf "\\\\$(printf %03o "$1")\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0"; }
place() { dd of="$disk" bs=1 seek="$1" conv=notrunc status=none; }
dd if=/usr/lib/grub/i386-pc/boot.img of="$disk" bs=440 count=1 conv=notrunc status=none
little "$grub" | place 92
dd if="$disk.core" of="$disk" bs=512 seek="$grub" conv=notrunc status=none
little "$next" | place "$((grub * 512 + 500))"
rm "$disk.core"`;

/** Writes a tree into a raw disk that starts by itself, on a BIOS. */
export async function writeDisk(
  executor: Executor,
  tree: string,
  disk: string,
  fileSystem: string,
): Promise<void> {
  const sectors = [GRUB_SECTOR, ROOT_SECTOR, ROOT_SECTORS, GRUB_SECTOR + 1].map(String);
  await must(executor, script(WRITE, tree, disk, fileSystem, String(SIZE), ...sectors), {
    deadlineMs: WRITE_MS,
  });
}

const PACK = `qemu-img convert -q -f raw -O qcow2 -c -o compression_type=zstd -W "$1" "$2.new"
sync "$2.new"
mv -fT "$2.new" "$2"
sha256sum <"$2"`;

/** Packs a raw disk into an image; its SHA-256. */
export async function packDisk(executor: Executor, disk: string, image: string): Promise<string> {
  return (await must(executor, script(PACK, disk, image), { deadlineMs: WRITE_MS })).slice(0, 64);
}
