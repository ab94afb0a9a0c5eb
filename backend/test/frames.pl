# Plays the guest of a tap: writes the frames that it reads (one a line, in hexadecimal digits) into it, and prints those
# that arrive at the bridge behind it.   perl frames.pl <tap> <bridge>
use strict;
use warnings;
use Socket;
use constant { TUNSETIFF => 0x400454ca, IFF_TAP => 2, IFF_NO_PI => 0x1000, AF_PACKET => 17, ETH_P_ALL => 3 };

my ($tap, $bridge) = @ARGV;
$| = 1;
open(my $guest, '+<', '/dev/net/tun') or die "tun: $!";
ioctl($guest, TUNSETIFF, pack('a16 s x64', $tap, IFF_TAP | IFF_NO_PI)) or die "tap: $!";
open(my $number, '<', "/sys/class/net/$bridge/ifindex") or die "bridge: $!";
my $index = <$number>;
socket(my $seen, AF_PACKET, SOCK_RAW, unpack('S', pack('n', ETH_P_ALL))) or die "socket: $!";
bind($seen, pack('S n i S C C a8', AF_PACKET, ETH_P_ALL, $index, 0, 0, 0, '')) or die "bind: $!";
print "ready\n";
while (1) {
  my $bits = '';
  vec($bits, fileno($_), 1) = 1 for ($seen, \*STDIN);
  select($bits, undef, undef, undef);
  if (vec($bits, fileno($seen), 1)) {
    sysread($seen, my $frame, 65536);
    print unpack('H*', $frame), "\n";
  }
  if (vec($bits, fileno(STDIN), 1)) {
    my $length = sysread(STDIN, my $lines, 65536);
    last unless $length;
    syswrite($guest, pack('H*', $_)) for split /\n/, $lines;
  }
}
