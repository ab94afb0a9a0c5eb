/** A distribution that images can be built of, by the name that orders use. */
export interface Distribution {
  readonly suite: string;
  /** Lines of sources.list(5), of mirrors of the archive and of its security updates. */
  sources(mirrors: Mirrors): string[];
}

export interface Mirrors {
  readonly archive: string;
  readonly security: string;
}

export const MIRRORS: Mirrors = {
  archive: 'http://deb.debian.org/debian',
  security: 'http://deb.debian.org/debian-security',
};

function debian(suite: string): Distribution {
  return {
    suite,
    sources: ({ archive, security }) => [
      `deb ${archive} ${suite} main`,
      `deb ${archive} ${suite}-updates main`,
      `deb ${security} ${suite}-security main`,
    ],
  };
}

export const DISTRIBUTIONS: ReadonlyMap<string, Distribution> = new Map([['debian-12', debian('bookworm')]]);

/**
 * What a server needs to start, to be told who it is, and to be reached; and what nobody wants to miss at its first login.
 * Of Debian's kernels the one for virtual machines.
 */
export const PACKAGES: readonly string[] = [
  ...['linux-image-cloud-amd64', 'initramfs-tools', 'systemd-sysv', 'udev', 'dbus', 'kmod', 'login'],
  // Else initramfs-tools packs by gzip what the kernel then unpacks for seconds.
  'zstd',
  ...['e2fsprogs', 'fdisk', 'cloud-init', 'cloud-guest-utils', 'qemu-guest-agent'],
  ...['netplan.io', 'systemd-resolved', 'systemd-timesyncd', 'iproute2', 'iputils-ping'],
  ...['openssh-server', 'sudo', 'ca-certificates', 'apt-utils', 'bash-completion', 'curl', 'less', 'nano'],
  ...['procps', 'vim-tiny', 'whiptail'],
];
