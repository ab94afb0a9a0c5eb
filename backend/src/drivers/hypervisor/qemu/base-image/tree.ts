import { stringify } from 'yaml';
import { type Executor, must, script } from '../../../host/executor.ts';
import { type Distribution, type Mirrors, PACKAGES } from './distribution.ts';

const INSTALL_MS = 30 * 60_000;

/** Installs a distribution into a directory that is not there yet. apt checks the archive's signatures. */
export async function installTree(
  executor: Executor,
  { suite, sources }: Distribution,
  mirrors: Mirrors,
  tree: string,
): Promise<void> {
  const given = [
    '--mode=root',
    '--variant=minbase',
    '--architectures=amd64',
    '--format=directory',
    '--quiet',
    // What a power failure leaves of an image that is being built is not used. CONFIGURE takes the option out again.
    '--dpkgopt=force-unsafe-io',
  ];
  const packages = `--include=${PACKAGES.join(',')}`;
  // The packages would make two initial RAM disks, which that of CONFIGURE replaces.
  const command = ['env', 'INITRD=No', 'mmdebstrap', ...given, packages, suite, tree, ...sources(mirrors)];
  await must(executor, command, { deadlineMs: INSTALL_MS });
}

// Three sources and not two: of two, the second of which is None, cloud-init takes the first without looking, and at a
// start without a seed would take the machine for another one, with other host keys and no network. Of the keys that it
// makes by itself the one for DSA is left out, which no sshd uses any more; and no package of GRUB waits to be told its disk.
const CLOUD_INIT = stringify({
  datasource_list: ['NoCloud', 'ConfigDrive', 'None'],
  apt: { preserve_sources_list: true },
  ssh_genkeytypes: ['ed25519', 'ecdsa', 'rsa'],
  grub_dpkg: { enabled: false },
});

// The serial line comes last: it is /dev/console, and the screen shows a prompt all the same.
const KERNEL = 'ro console=tty0 console=ttyS0,115200';

/** GRUB's configuration: the kernel that the packages' own links at the root name, so it needs no change with a new one. */
export function bootMenu(fileSystem: string): string {
  return `linux /vmlinuz root=UUID=${fileSystem} ${KERNEL}\ninitrd /initrd.img\nboot\n`;
}

// What two machines of one image must not have in common goes: each makes its own at its first start. The modules are
// those by which the seed's medium is seen as early as cloud-init looks for it.
const CONFIGURE = `cd "$1"
printf 'UUID=%s / ext4 defaults,errors=remount-ro 0 1\\n' "$2" >etc/fstab
mkdir -p boot/grub
printf '%s' "$3" >boot/grub/grub.cfg
printf '%s' "$4" >etc/cloud/cloud.cfg.d/90_hostkeep.cfg
printf 'LANG=C.UTF-8\\n' >etc/default/locale
printf 'localhost\\n' >etc/hostname
printf '127.0.0.1 localhost\\n::1 localhost ip6-localhost ip6-loopback\\n' >etc/hosts
printf 'virtio_pci\\nvirtio_blk\\nvirtio_scsi\\nsr_mod\\nisofs\\n' >>etc/initramfs-tools/modules
kernel=$(cd lib/modules && echo *)
chroot . update-initramfs -c -k "$kernel"
chroot . linux-update-symlinks install "$kernel" "/boot/vmlinuz-$kernel"
systemctl --root=. enable systemd-networkd.service systemd-resolved.service
rm etc/dpkg/dpkg.cfg.d/99mmdebstrap
rm -f etc/ssh/ssh_host_*_key* var/lib/systemd/random-seed var/lib/dbus/machine-id etc/resolv.conf
: >etc/machine-id
ln -s ../run/systemd/resolve/stub-resolv.conf etc/resolv.conf
find var/log var/cache/apt var/lib/apt/lists tmp run -type f -delete`;

/** Makes an installed tree the first state of a machine whose root file system has this id. */
export async function configureTree(executor: Executor, tree: string, fileSystem: string): Promise<void> {
  await must(executor, script(CONFIGURE, tree, fileSystem, bootMenu(fileSystem), CLOUD_INIT), {
    deadlineMs: INSTALL_MS,
  });
}
