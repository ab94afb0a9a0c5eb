import type { Locale } from '../../../../operation.ts';
import { button, facts, paragraph } from '../block.ts';
import type { MailTexts, TemplatesOf } from '../text.ts';

/** The roles of people who were invited, as a sentence names them. */
const ROLES: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  en: { admin: 'administrator', billing: 'billing', technical: 'technical', readonly: 'read-only' },
  de: { admin: 'Administration', billing: 'Buchhaltung', technical: 'Technik', readonly: 'nur Lesen' },
};

/** Why accounts are suspended, as a sentence after a colon names it. */
const SUSPENSIONS: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  en: {
    unpaid: 'an open payment',
    abuse: 'a report of abuse',
    legal: 'a legal reason',
    operator: 'a decision of our staff',
    verification: 'we need to verify your details',
  },
  de: {
    unpaid: 'eine offene Zahlung',
    abuse: 'eine Missbrauchsmeldung',
    legal: 'ein rechtlicher Grund',
    operator: 'eine Entscheidung unseres Teams',
    verification: 'wir müssen Ihre Angaben prüfen',
  },
};

export const accountTexts: MailTexts<TemplatesOf<'account'>> = {
  'account.email-verification': {
    en: ({ link }) => ({
      subject: 'Please confirm your e-mail address',
      blocks: [
        paragraph('Please confirm that this e-mail address is yours. One click is enough:'),
        button('Confirm e-mail address', link),
        paragraph('The link works once and for a limited time. You can request a new one in your account.'),
        paragraph('If you did not give this address to us, please ignore this e-mail: nothing is confirmed.'),
      ],
    }),
    de: ({ link }) => ({
      subject: 'Bitte bestätigen Sie Ihre E-Mail-Adresse',
      blocks: [
        paragraph('bitte bestätigen Sie, dass diese E-Mail-Adresse Ihnen gehört. Ein Klick genügt:'),
        button('E-Mail-Adresse bestätigen', link),
        paragraph(
          'Der Link funktioniert einmal und nur für begrenzte Zeit. Einen neuen können Sie in Ihrem Kundenkonto anfordern.',
        ),
        paragraph(
          'Falls Sie uns diese Adresse nicht genannt haben, ignorieren Sie diese E-Mail bitte: Es wird nichts bestätigt.',
        ),
      ],
    }),
  },
  'account.password-reset': {
    en: ({ link }) => ({
      subject: 'Set a new password',
      blocks: [
        paragraph('Someone, probably you, asked to set a new password for your account. You can do so here:'),
        button('Set new password', link),
        paragraph('The link works once and for a limited time. Please do not pass it on to anyone.'),
        paragraph('If it was not you, please ignore this e-mail: your password stays as it is.'),
      ],
    }),
    de: ({ link }) => ({
      subject: 'Neues Passwort festlegen',
      blocks: [
        paragraph(
          'jemand, vermutlich Sie selbst, möchte ein neues Passwort für Ihr Kundenkonto festlegen. Das können Sie hier tun:',
        ),
        button('Neues Passwort festlegen', link),
        paragraph(
          'Der Link funktioniert einmal und nur für begrenzte Zeit. Bitte geben Sie ihn an niemanden weiter.',
        ),
        paragraph(
          'Falls Sie das nicht waren, ignorieren Sie diese E-Mail bitte: Ihr Passwort bleibt, wie es ist.',
        ),
      ],
    }),
  },
  'account.invitation': {
    en: ({ invited_by, role, link }) => ({
      subject: 'You are invited to a customer account',
      blocks: [
        paragraph(`${invited_by} invites you to work with us in a shared customer account.`),
        facts(['Your role', ROLES.en[role] ?? role]),
        button('Accept invitation', link),
        paragraph('The link works once and for a limited time.'),
        paragraph(
          'If you do not know who invites you, please ignore this e-mail: no account is opened for you.',
        ),
      ],
    }),
    de: ({ invited_by, role, link }) => ({
      subject: 'Einladung zu einem Kundenkonto',
      blocks: [
        paragraph(`${invited_by} lädt Sie ein, ein Kundenkonto bei uns gemeinsam zu nutzen.`),
        facts(['Ihre Rolle', ROLES.de[role] ?? role]),
        button('Einladung annehmen', link),
        paragraph('Der Link funktioniert einmal und nur für begrenzte Zeit.'),
        paragraph(
          'Falls Sie nicht wissen, wer Sie einlädt, ignorieren Sie diese E-Mail bitte: Es wird kein Zugang für Sie eingerichtet.',
        ),
      ],
    }),
  },
  'account.email-changed': {
    en: ({ email, ip }) => ({
      subject: 'The e-mail address of your account was changed',
      blocks: [
        paragraph(
          'The e-mail address that you log in with was changed. From now on we write to the new one only.',
        ),
        facts(['New address', email], ['Changed from IP address', ip]),
        paragraph('If it was you, there is nothing to do.'),
        paragraph(
          'If it was not you, please contact us at once: someone else may have access to your account.',
        ),
      ],
    }),
    de: ({ email, ip }) => ({
      subject: 'Die E-Mail-Adresse Ihres Kundenkontos wurde geändert',
      blocks: [
        paragraph(
          'die E-Mail-Adresse, mit der Sie sich anmelden, wurde geändert. Ab jetzt schreiben wir nur noch an die neue.',
        ),
        facts(['Neue Adresse', email], ['Geändert von der IP-Adresse', ip]),
        paragraph('Wenn Sie das waren, müssen Sie nichts weiter tun.'),
        paragraph(
          'Wenn Sie das nicht waren, melden Sie sich bitte sofort bei uns: Möglicherweise hat jemand anderes Zugriff auf Ihr Kundenkonto.',
        ),
      ],
    }),
  },
  'account.already-registered': {
    en: ({ ip }) => ({
      subject: 'You already have an account',
      blocks: [
        paragraph(
          'Someone, probably you, wanted to open an account with this e-mail address. You have one already.',
        ),
        paragraph(
          'Please log in with it. If you do not know the password any more, set a new one (“Forgot your password?”).',
        ),
        facts(['Wanted from IP address', ip]),
        paragraph('If it was not you, please ignore this e-mail: nothing was changed, and nobody was told.'),
      ],
    }),
    de: ({ ip }) => ({
      subject: 'Sie haben bereits ein Kundenkonto',
      blocks: [
        paragraph(
          'jemand, vermutlich Sie selbst, wollte mit dieser E-Mail-Adresse ein Kundenkonto eröffnen. Sie haben bereits eines.',
        ),
        paragraph(
          'Bitte melden Sie sich damit an. Wenn Sie das Passwort nicht mehr wissen, legen Sie ein neues fest („Passwort vergessen?“).',
        ),
        facts(['Gewünscht von der IP-Adresse', ip]),
        paragraph(
          'Falls Sie das nicht waren, ignorieren Sie diese E-Mail bitte: Es wurde nichts geändert und niemandem etwas verraten.',
        ),
      ],
    }),
  },
  'account.password-changed': {
    en: ({ ip }) => ({
      subject: 'Your password was changed',
      blocks: [
        paragraph('The password of your account was changed.'),
        facts(['Changed from IP address', ip]),
        paragraph('If it was you, there is nothing to do.'),
        paragraph(
          'If it was not you, please set a new password at once (“Forgot your password?”) and contact us.',
        ),
      ],
    }),
    de: ({ ip }) => ({
      subject: 'Ihr Passwort wurde geändert',
      blocks: [
        paragraph('das Passwort Ihres Kundenkontos wurde geändert.'),
        facts(['Geändert von der IP-Adresse', ip]),
        paragraph('Wenn Sie das waren, müssen Sie nichts weiter tun.'),
        paragraph(
          'Wenn Sie das nicht waren, legen Sie bitte sofort ein neues Passwort fest („Passwort vergessen?“) und melden Sie sich bei uns.',
        ),
      ],
    }),
  },
  'account.two-factor-changed': {
    en: ({ enabled, ip }) => ({
      subject: `Two-factor authentication was turned ${enabled ? 'on' : 'off'}`,
      blocks: [
        paragraph(
          enabled
            ? 'Two-factor authentication was turned on for your account. To log in you now need a code from your app besides your password. Please keep your recovery codes in a safe place.'
            : 'Two-factor authentication was turned off for your account. Your password alone is now enough to log in.',
        ),
        facts(['Changed from IP address', ip]),
        paragraph('If it was not you, please change your password at once and contact us.'),
      ],
    }),
    de: ({ enabled, ip }) => ({
      subject: `Die Zwei-Faktor-Anmeldung wurde ${enabled ? 'eingeschaltet' : 'ausgeschaltet'}`,
      blocks: [
        paragraph(
          enabled
            ? 'die Zwei-Faktor-Anmeldung wurde für Ihr Kundenkonto eingeschaltet. Für die Anmeldung brauchen Sie jetzt neben Ihrem Passwort einen Code aus Ihrer App. Bitte bewahren Sie Ihre Wiederherstellungscodes sicher auf.'
            : 'die Zwei-Faktor-Anmeldung wurde für Ihr Kundenkonto ausgeschaltet. Für die Anmeldung genügt jetzt Ihr Passwort allein.',
        ),
        facts(['Geändert von der IP-Adresse', ip]),
        paragraph(
          'Wenn Sie das nicht waren, ändern Sie bitte sofort Ihr Passwort und melden Sie sich bei uns.',
        ),
      ],
    }),
  },
  'account.suspended': {
    en: ({ reason }) => ({
      subject: 'Your account is suspended',
      blocks: [
        paragraph(
          'Your account is suspended: you cannot order or renew anything. Your services run on until the end of the terms that are paid for.',
        ),
        facts(['Reason', SUSPENSIONS.en[reason] ?? reason]),
        paragraph('You can still log in. Please contact us so that we can settle it together.'),
      ],
    }),
    de: ({ reason }) => ({
      subject: 'Ihr Kundenkonto ist gesperrt',
      blocks: [
        paragraph(
          'Ihr Kundenkonto ist gesperrt: Sie können nichts bestellen oder verlängern. Ihre Dienste laufen bis zum Ende der bezahlten Laufzeit weiter.',
        ),
        facts(['Grund', SUSPENSIONS.de[reason] ?? reason]),
        paragraph(
          'Anmelden können Sie sich weiterhin. Bitte melden Sie sich bei uns, damit wir es gemeinsam klären.',
        ),
      ],
    }),
  },
  'account.unsuspended': {
    en: () => ({
      subject: 'Your account is open again',
      blocks: [
        paragraph('Your account is no longer suspended. You can order and renew as before.'),
        paragraph('Please check whether services expired in the meantime.'),
      ],
    }),
    de: () => ({
      subject: 'Ihr Kundenkonto ist wieder freigegeben',
      blocks: [
        paragraph(
          'Ihr Kundenkonto ist nicht mehr gesperrt. Sie können wie gewohnt bestellen und verlängern.',
        ),
        paragraph('Bitte prüfen Sie, ob in der Zwischenzeit Dienste abgelaufen sind.'),
      ],
    }),
  },
  'account.closed': {
    en: ({ payout, kept_until }, print) => ({
      subject: 'Your account is closed',
      blocks: [
        paragraph('Your account is closed. Its services have ended, and nobody can log in to it any more.'),
        ...(payout === null ? [] : [facts(['We pay out to your bank account', print.amount(payout)])]),
        paragraph(
          `The law has us keep invoices and bookings until the end of ${kept_until}. If you need one of them, please write to us.`,
        ),
        paragraph('If you did not expect this, please contact us at once.'),
      ],
    }),
    de: ({ payout, kept_until }, print) => ({
      subject: 'Ihr Kundenkonto ist geschlossen',
      blocks: [
        paragraph(
          'Ihr Kundenkonto ist geschlossen. Die Dienste sind beendet, und niemand kann sich mehr anmelden.',
        ),
        ...(payout === null ? [] : [facts(['Wir zahlen auf Ihr Bankkonto aus', print.amount(payout)])]),
        paragraph(
          `Rechnungen und Buchungen müssen wir bis Ende ${kept_until} aufbewahren. Wenn Sie etwas davon brauchen, schreiben Sie uns bitte.`,
        ),
        paragraph('Falls Sie das nicht erwartet haben, melden Sie sich bitte sofort bei uns.'),
      ],
    }),
  },
  'account.accessed-by-operator': {
    en: ({ operator, reason }) => ({
      subject: 'Our staff accessed your account',
      blocks: [
        paragraph(
          'A member of our staff opened your account in your place. We tell you whenever that happens.',
        ),
        facts(['Who', operator], ['Reason', reason]),
        paragraph(
          'What changed is in the history of your account; you can end the session among your tokens.',
        ),
        paragraph('If you did not expect this, please contact us: we gladly explain it.'),
      ],
    }),
    de: ({ operator, reason }) => ({
      subject: 'Unser Team hat auf Ihr Kundenkonto zugegriffen',
      blocks: [
        paragraph(
          'ein Mitglied unseres Teams hat Ihr Kundenkonto an Ihrer Stelle geöffnet. Darüber informieren wir Sie jedes Mal.',
        ),
        facts(['Wer', operator], ['Grund', reason]),
        paragraph(
          'Was sich geändert hat, steht im Verlauf Ihres Kundenkontos; die Sitzung beenden Sie bei Ihren Tokens.',
        ),
        paragraph(
          'Falls Sie damit nicht gerechnet haben, melden Sie sich bitte bei uns: Wir erklären es gern.',
        ),
      ],
    }),
  },
  'account.webhook-disabled': {
    en: ({ host, since, error }, print) => ({
      subject: `Your webhook to ${host} was switched off`,
      blocks: [
        paragraph(
          'We could not deliver a single event to one of your webhooks for seven days, so we have switched it off.',
        ),
        facts(['Webhook to', host], ['Failing since', print.moment(since)], ['Last error', error]),
        paragraph(
          'When the receiver works again, switch the webhook on in your account. You can have events of the last 30 days sent again.',
        ),
      ],
    }),
    de: ({ host, since, error }, print) => ({
      subject: `Ihr Webhook zu ${host} wurde abgeschaltet`,
      blocks: [
        paragraph(
          'an einen Ihrer Webhooks konnten wir sieben Tage lang kein einziges Ereignis zustellen. Deshalb haben wir ihn abgeschaltet.',
        ),
        facts(['Webhook zu', host], ['Gestört seit', print.moment(since)], ['Letzter Fehler', error]),
        paragraph(
          'Sobald der Empfänger wieder arbeitet, schalten Sie den Webhook in Ihrem Kundenkonto ein. Ereignisse der letzten 30 Tage können Sie erneut senden lassen.',
        ),
      ],
    }),
  },
  'account.balance-low': {
    en: ({ balance, threshold }, print) => ({
      subject: 'Your balance is running low',
      blocks: [
        paragraph('Your balance has fallen below the amount at which you wanted to be told.'),
        facts(['Balance', print.amount(balance)], ['Your limit', print.amount(threshold)]),
        paragraph(
          'Please top up your balance in time, so that your services can renew without interruption.',
        ),
      ],
    }),
    de: ({ balance, threshold }, print) => ({
      subject: 'Ihr Guthaben geht zur Neige',
      blocks: [
        paragraph('Ihr Guthaben liegt jetzt unter dem Betrag, ab dem Sie informiert werden möchten.'),
        facts(['Guthaben', print.amount(balance)], ['Ihre Grenze', print.amount(threshold)]),
        paragraph(
          'Bitte laden Sie Ihr Guthaben rechtzeitig auf, damit sich Ihre Dienste ohne Unterbrechung verlängern können.',
        ),
      ],
    }),
  },
};
