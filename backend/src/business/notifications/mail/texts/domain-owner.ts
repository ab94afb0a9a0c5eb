import { unicodeName } from '../../../../base/domain-name.ts';
import { button, facts, paragraph } from '../block.ts';
import type { MailTexts } from '../text.ts';

/** Mails about who owns a domain, and who may take it elsewhere. */
export const domainOwnerTexts: MailTexts<
  | 'domain.contact-verification'
  | 'domain.verification-failed'
  | 'domain.owner-change'
  | 'domain.owner-changed'
  | 'domain.authcode-issued'
  | 'domain.authcode'
> = {
  'domain.contact-verification': {
    en: ({ domain, link }) => ({
      subject: `Please confirm your e-mail address for ${unicodeName(domain)}`,
      blocks: [
        paragraph(
          `You are named as the owner of the domain ${unicodeName(domain)} with this e-mail address.`,
        ),
        paragraph(
          'The rules for domains want you to confirm it within 15 days of the registration. Otherwise the domain cannot be reached until you do.',
        ),
        button('Confirm e-mail address', link),
        paragraph('If you know nothing of this domain, please ignore this e-mail: nothing is confirmed.'),
      ],
    }),
    de: ({ domain, link }) => ({
      subject: `Bitte bestätigen Sie Ihre E-Mail-Adresse für ${unicodeName(domain)}`,
      blocks: [
        paragraph(
          `mit dieser E-Mail-Adresse sind Sie als Inhaber der Domain ${unicodeName(domain)} genannt.`,
        ),
        paragraph(
          'Die Regeln für Domains verlangen, dass Sie sie binnen 15 Tagen nach der Registrierung bestätigen. Andernfalls ist die Domain nicht erreichbar, bis Sie es tun.',
        ),
        button('E-Mail-Adresse bestätigen', link),
        paragraph(
          'Wenn Sie diese Domain nicht kennen, ignorieren Sie diese E-Mail bitte: Es wird nichts bestätigt.',
        ),
      ],
    }),
  },
  'domain.verification-failed': {
    en: ({ domain, email }) => ({
      subject: `Not reachable any more: ${unicodeName(domain)}`,
      blocks: [
        paragraph(
          `The owner of the domain ${unicodeName(domain)} did not confirm their e-mail address in time, so the domain is not reachable now.`,
        ),
        facts(['E-mail address', email]),
        paragraph(
          'It is on again as soon as the address is confirmed. In your account you can have the link mailed once more, or change the address.',
        ),
      ],
    }),
    de: ({ domain, email }) => ({
      subject: `Nicht mehr erreichbar: ${unicodeName(domain)}`,
      blocks: [
        paragraph(
          `der Inhaber der Domain ${unicodeName(domain)} hat seine E-Mail-Adresse nicht rechtzeitig bestätigt, deshalb ist die Domain jetzt nicht erreichbar.`,
        ),
        facts(['E-Mail-Adresse', email]),
        paragraph(
          'Sobald die Adresse bestätigt ist, ist sie wieder erreichbar. In Ihrem Kundenkonto können Sie den Link erneut senden lassen oder die Adresse ändern.',
        ),
      ],
    }),
  },
  'domain.owner-change': {
    en: ({ domain, side, new_owner, until, link }, print) => ({
      subject: `Please agree: another owner for ${unicodeName(domain)}`,
      blocks: [
        paragraph(
          side === 'present'
            ? `Your domain ${unicodeName(domain)} is to get another owner.`
            : `You are to become the owner of the domain ${unicodeName(domain)}. By agreeing you also confirm this e-mail address.`,
        ),
        facts(['New owner', new_owner], ['Agree by', print.moment(until)]),
        button(side === 'present' ? 'Agree to the change' : 'Become the owner', link),
        paragraph('If you do not want this, there is nothing to do: without your consent nothing changes.'),
      ],
    }),
    de: ({ domain, side, new_owner, until, link }, print) => ({
      subject: `Bitte zustimmen: Inhaberwechsel bei ${unicodeName(domain)}`,
      blocks: [
        paragraph(
          side === 'present'
            ? `Ihre Domain ${unicodeName(domain)} soll einen anderen Inhaber bekommen.`
            : `Sie sollen Inhaber der Domain ${unicodeName(domain)} werden. Mit Ihrer Zustimmung bestätigen Sie auch diese E-Mail-Adresse.`,
        ),
        facts(['Neuer Inhaber', new_owner], ['Zustimmung bis', print.moment(until)]),
        button(side === 'present' ? 'Dem Wechsel zustimmen' : 'Inhaber werden', link),
        paragraph(
          'Wenn Sie das nicht wünschen, müssen Sie nichts tun: Ohne Ihre Zustimmung ändert sich nichts.',
        ),
      ],
    }),
  },
  'domain.owner-changed': {
    en: ({ domain, new_owner, ip }) => ({
      subject: `Another owner: ${unicodeName(domain)}`,
      blocks: [
        paragraph(`A change of the owner of the domain ${unicodeName(domain)} was requested.`),
        facts(['New owner', new_owner], ['Requested from', ip]),
        paragraph('If this was not meant to happen, please answer at once.'),
      ],
    }),
    de: ({ domain, new_owner, ip }) => ({
      subject: `Inhaberwechsel: ${unicodeName(domain)}`,
      blocks: [
        paragraph(`für die Domain ${unicodeName(domain)} wurde ein Inhaberwechsel beantragt.`),
        facts(['Neuer Inhaber', new_owner], ['Beantragt von', ip]),
        paragraph('Wenn das nicht geschehen sollte, antworten Sie bitte sofort.'),
      ],
    }),
  },
  'domain.authcode-issued': {
    en: ({ domain, ip, expires_at }, print) => ({
      subject: `Authorisation code given out: ${unicodeName(domain)}`,
      blocks: [
        paragraph(
          `The authorisation code of the domain ${unicodeName(domain)} was given out. Whoever has it can ask for the domain.`,
        ),
        facts(['Requested from', ip], ['Holds until', print.moment(expires_at)]),
        paragraph(
          'If it was not you, please switch the transfer lock on, have another code made, and change your password.',
        ),
      ],
    }),
    de: ({ domain, ip, expires_at }, print) => ({
      subject: `Autorisierungscode herausgegeben: ${unicodeName(domain)}`,
      blocks: [
        paragraph(
          `der Autorisierungscode der Domain ${unicodeName(domain)} wurde herausgegeben. Wer ihn hat, kann die Domain anfordern.`,
        ),
        facts(['Angefordert von', ip], ['Gültig bis', print.moment(expires_at)]),
        paragraph(
          'Wenn Sie das nicht waren, schalten Sie bitte die Transfersperre ein, lassen Sie einen neuen Code erzeugen, und ändern Sie Ihr Passwort.',
        ),
      ],
    }),
  },
  'domain.authcode': {
    en: ({ domain, authcode, expires_at }, print) => ({
      subject: `Authorisation code of ${unicodeName(domain)}`,
      blocks: [
        paragraph(`This is the authorisation code of the domain ${unicodeName(domain)}, as was asked for.`),
        facts(['Code', authcode], ['Holds until', print.moment(expires_at)]),
        paragraph('Whoever has it can ask for the domain: please give it to your new registrar only.'),
      ],
    }),
    de: ({ domain, authcode, expires_at }, print) => ({
      subject: `Autorisierungscode von ${unicodeName(domain)}`,
      blocks: [
        paragraph(`hier ist, wie gewünscht, der Autorisierungscode der Domain ${unicodeName(domain)}.`),
        facts(['Code', authcode], ['Gültig bis', print.moment(expires_at)]),
        paragraph('Wer ihn hat, kann die Domain anfordern: Bitte geben Sie ihn nur Ihrem neuen Registrar.'),
      ],
    }),
  },
};
