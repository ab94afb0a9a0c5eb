# Walks through a registry with Debian's libnet-epp-perl, a client that has nothing to do with Hostkeep.
# Arguments: port, file of the authority, then of the certificates and keys of two registrars, hostkeep and rival.
use strict;
use warnings;
use Net::EPP::Simple;

my ($port, $ca, %file) = @ARGV;

sub enter {
    my ($name) = @_;
    my $epp = Net::EPP::Simple->new(
        host => '127.0.0.1', port => $port, timeout => 10, load_config => 0, reconnect => 1,
        user => $name, pass => "$name-sandbox",
        verify => 1, ca_file => $ca, cert => $file{"$name-cert"}, key => $file{"$name-key"},
    );
    die "log-in of $name: $Net::EPP::Simple::Error" unless defined $epp;
    return $epp;
}

sub must {
    my ($what, $result) = @_;
    die "$what: $Net::EPP::Simple::Code $Net::EPP::Simple::Error" unless defined $result;
    print "$what $Net::EPP::Simple::Code\n";
    return $result;
}

my ($ours, $theirs) = (enter('hostkeep'), enter('rival'));
my ($domain, $contact) = ('perl-client.com', 'PERL-1');

print 'free ', must('check', $ours->check_domain($domain)), "\n";
must('contact', $ours->create_contact({
    id => $contact,
    postalInfo => { int => { name => 'Erika Muster', org => '', addr => {
        street => ['Musterweg 1'], city => 'Frankfurt', sp => '', pc => '60311', cc => 'DE' } } },
    voice => '+49.691234567', fax => '', email => 'erika@example.org', authInfo => 'Contact-code-1',
}));
must('host', $ours->create_host({ name => 'ns1.example.net', addrs => [] }));
must('create', $ours->create_domain({
    name => $domain, period => 1, registrant => $contact, ns => ['ns1.example.net'],
    contacts => { admin => $contact, tech => $contact, billing => $contact }, authInfo => 'Code-1-of-many',
}));
print 'free ', must('check', $ours->check_domain($domain)), "\n";
my $info = must('info', $ours->domain_info($domain));
print join(' ', $info->{clID}, $info->{registrant}, @{ $info->{ns} }, $info->{exDate}), "\n";
my ($day) = $info->{exDate} =~ /^([0-9-]{10})/;
must('renew', $ours->renew_domain({ name => $domain, cur_exp_date => $day, period => 2 }));
print must('info', $ours->domain_info($domain))->{exDate}, "\n";
print "again ", defined $ours->renew_domain({ name => $domain, cur_exp_date => $day, period => 2 }) ? 'renewed' : 'refused',
    " $Net::EPP::Simple::Code\n";
# The 60 days after a registration are over for this one.
my $old = 'perl-old.com';
must('authcode', $ours->update_domain({ name => $old, chg => { authInfo => 'Code-2-of-many' } }));
my $asked = must('transfer', $theirs->domain_transfer_request($old, 'Code-2-of-many', 1));
print join(' ', @{$asked}{qw(trStatus reID acID)}), "\n";
must('approve', $ours->domain_transfer_approve($old));
print must('info', $theirs->domain_info($old))->{clID}, "\n";

# Net::EPP::Simple has no method for the queue; its frames do.
my $poll = Net::EPP::Frame::Command::Poll::Req->new;
my $message = $ours->request($poll);
print join(' ', 'poll', $message->code, $message->getElementsByLocalName('trStatus')->shift->textContent), "\n";
my $ack = Net::EPP::Frame::Command::Poll::Ack->new;
$ack->setMsgID($message->getElementsByLocalName('msgQ')->shift->getAttribute('id'));
print 'ack ', $ours->request($ack)->code, "\n";
print 'poll ', $ours->request(Net::EPP::Frame::Command::Poll::Req->new)->code, "\n";
$ours->logout;
$theirs->logout;
print "bye\n";
