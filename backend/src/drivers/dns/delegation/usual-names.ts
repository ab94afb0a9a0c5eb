/** A question about a zone: a name relative to it, and a type. */
export interface UsualQuestion {
  readonly name: string;
  readonly type: 'A' | 'AAAA' | 'CAA' | 'MX' | 'NS' | 'SRV' | 'TLSA' | 'TXT';
}

/** Hosts and services that zones usually have. A CNAME is in the answer whatever it is asked for. */
const HOSTS = (
  '@ * www www2 web m mobile app api cdn static assets img images media files download downloads blog shop store ' +
  'forum wiki docs help support status portal my login auth sso admin panel cpanel whm plesk webdisk webmail mail ' +
  'mail2 mx mx1 mx2 smtp imap pop pop3 email exchange owa autodiscover autoconfig ftp sftp ssh vpn remote gateway git ' +
  'ci dev test staging stage beta demo ns ns1 ns2 ns3 dns cloud nextcloud backup db mysql server server1 host vps ' +
  'intranet office crm erp calendar chat meet sip voip lyncdiscover enterpriseregistration enterpriseenrollment ' +
  'news newsletter info go link links'
).split(' ');
/** The keys of mail that the large senders and the usual programs have (RFC 6376), and what is said beside them. */
const TEXTS = [
  '_dmarc',
  '_mta-sts',
  '_smtp._tls',
  '_acme-challenge',
  '_github-challenge',
  '_atproto',
  ...(
    'default google selector1 selector2 s1 s2 k1 k2 k3 dkim mail smtp mx key1 key2 mandrill mte1 mte2 fm1 fm2 fm3 zoho ' +
    'protonmail protonmail2 protonmail3 sig1 amazonses everlytickey1 everlytickey2 turbo-smtp'
  )
    .split(' ')
    .map((selector) => `${selector}._domainkey`),
];
const SERVICES = (
  '_autodiscover._tcp _submission._tcp _submissions._tcp _imap._tcp _imaps._tcp _pop3._tcp _pop3s._tcp _caldav._tcp ' +
  '_caldavs._tcp _carddav._tcp _carddavs._tcp _sip._tcp _sip._udp _sips._tcp _sip._tls _sipfederationtls._tcp ' +
  '_xmpp-client._tcp _xmpp-server._tcp _matrix._tcp _matrix-fed._tcp _ldap._tcp _kerberos._tcp _minecraft._tcp ' +
  '_stun._udp _turn._udp'
).split(' ');

/** Of a name that another record points to. */
export function hostQuestions(name: string): readonly UsualQuestion[] {
  return [
    { name, type: 'A' },
    { name, type: 'AAAA' },
  ];
}

export const USUAL_QUESTIONS: readonly UsualQuestion[] = [
  ...(['MX', 'TXT', 'CAA'] as const).map((type) => ({ name: '@', type })),
  ...(['TXT', 'MX'] as const).map((type) => ({ name: '*', type })),
  ...HOSTS.flatMap(hostQuestions),
  { name: 'mail', type: 'MX' },
  { name: '_443._tcp', type: 'TLSA' },
  { name: '_443._tcp.www', type: 'TLSA' },
  { name: '_25._tcp.mail', type: 'TLSA' },
  ...TEXTS.map((name) => ({ name, type: 'TXT' as const })),
  ...SERVICES.map((name) => ({ name, type: 'SRV' as const })),
];
