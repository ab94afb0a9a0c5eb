import { unicodeName } from '../../../../base/domain-name.ts';
import { facts, paragraph } from '../block.ts';
import type { MailTexts, TemplatesOf } from '../text.ts';
import { domainOwnerTexts } from './domain-owner.ts';

export const domainTexts: MailTexts<TemplatesOf<'domain'>> = {
  ...domainOwnerTexts,
  'domain.transfer-requested': {
    en: ({ domain, answer_until, silence }, print) => ({
      subject: `Transfer requested: ${unicodeName(domain)}`,
      blocks: [
        paragraph(
          `Somebody asks to have the domain ${unicodeName(domain)} transferred away from your account.`,
        ),
        facts(['Answer by', print.moment(answer_until)]),
        paragraph(
          silence === 'approves'
            ? 'If you want this, there is nothing to do: without an answer the domain is handed over then. If you do not, please reject the transfer in your account now.'
            : 'If you want this, please approve the transfer in your account. Without an answer the domain stays with you.',
        ),
        paragraph(
          'If you did not expect this, somebody may have your authorisation code: please also change your password.',
        ),
      ],
    }),
    de: ({ domain, answer_until, silence }, print) => ({
      subject: `Transfer angefragt: ${unicodeName(domain)}`,
      blocks: [
        paragraph(`jemand möchte die Domain ${unicodeName(domain)} aus Ihrem Kundenkonto wegtransferieren.`),
        facts(['Antwort bis', print.moment(answer_until)]),
        paragraph(
          silence === 'approves'
            ? 'Wenn Sie das wünschen, müssen Sie nichts tun: Ohne Antwort wird die Domain dann übergeben. Andernfalls lehnen Sie den Transfer bitte jetzt in Ihrem Kundenkonto ab.'
            : 'Wenn Sie das wünschen, stimmen Sie dem Transfer bitte in Ihrem Kundenkonto zu. Ohne Antwort bleibt die Domain bei Ihnen.',
        ),
        paragraph(
          'Wenn Sie das nicht erwartet haben, hat womöglich jemand Ihren Autorisierungscode: Bitte ändern Sie dann auch Ihr Passwort.',
        ),
      ],
    }),
  },
  'domain.unlocked': {
    en: ({ domain, ip }) => ({
      subject: `Transfer lock removed: ${unicodeName(domain)}`,
      blocks: [
        paragraph(`The domain ${unicodeName(domain)} is not locked against transfers any more.`),
        facts(['Requested from', ip]),
        paragraph('If it was not you, please switch the lock on again at once, and change your password.'),
      ],
    }),
    de: ({ domain, ip }) => ({
      subject: `Transfersperre aufgehoben: ${unicodeName(domain)}`,
      blocks: [
        paragraph(`die Domain ${unicodeName(domain)} ist nicht mehr gegen Transfers gesperrt.`),
        facts(['Angefordert von', ip]),
        paragraph(
          'Wenn Sie das nicht waren, schalten Sie die Sperre bitte sofort wieder ein, und ändern Sie Ihr Passwort.',
        ),
      ],
    }),
  },
  'domain.transferred-in': {
    en: ({ domain }) => ({
      subject: `Transferred to you: ${unicodeName(domain)}`,
      blocks: [
        paragraph(`The domain ${unicodeName(domain)} is in your account now.`),
        paragraph('Its name servers stayed as they were, unless you ordered others.'),
      ],
    }),
    de: ({ domain }) => ({
      subject: `Transfer abgeschlossen: ${unicodeName(domain)}`,
      blocks: [
        paragraph(`die Domain ${unicodeName(domain)} ist jetzt in Ihrem Kundenkonto.`),
        paragraph('Ihre Nameserver sind geblieben, sofern Sie keine anderen bestellt haben.'),
      ],
    }),
  },
  'domain.transferred-out': {
    en: ({ domain }) => ({
      subject: `Transferred away: ${unicodeName(domain)}`,
      blocks: [
        paragraph(`The domain ${unicodeName(domain)} was transferred away from your account.`),
        paragraph('Nothing is charged for it any more. If you did not want this, please answer at once.'),
      ],
    }),
    de: ({ domain }) => ({
      subject: `Wegtransferiert: ${unicodeName(domain)}`,
      blocks: [
        paragraph(`die Domain ${unicodeName(domain)} wurde aus Ihrem Kundenkonto wegtransferiert.`),
        paragraph(
          'Berechnet wird dafür nichts mehr. Wenn Sie das nicht wollten, antworten Sie bitte sofort.',
        ),
      ],
    }),
  },
  'domain.renewal-failed': {
    en: ({ domain, expire_at }, print) => ({
      subject: `Not renewed: ${unicodeName(domain)}`,
      blocks: [
        paragraph(`The registry did not renew the domain ${unicodeName(domain)}. Nothing was charged.`),
        facts(['End of term', print.moment(expire_at)]),
        paragraph('If it renews by itself, it is tried again. Otherwise please renew it in your account.'),
      ],
    }),
    de: ({ domain, expire_at }, print) => ({
      subject: `Nicht verlängert: ${unicodeName(domain)}`,
      blocks: [
        paragraph(
          `die Registry hat die Domain ${unicodeName(domain)} nicht verlängert. Berechnet wurde nichts.`,
        ),
        facts(['Laufzeitende', print.moment(expire_at)]),
        paragraph(
          'Wenn sie sich von selbst verlängert, wird es erneut versucht. Andernfalls verlängern Sie sie bitte in Ihrem Kundenkonto.',
        ),
      ],
    }),
  },
  'domain.price-changed': {
    en: ({ domain, expire_at, renewal }, print) => ({
      subject: `Dearer from now on: ${unicodeName(domain)}`,
      blocks: [
        paragraph(
          `${unicodeName(domain)} is a premium domain, whose registry now asks more for a renewal than you were shown.`,
        ),
        facts(['A further year', print.amount(renewal)], ['End of term', print.moment(expire_at)]),
        paragraph(
          'It therefore does not renew by itself any more. If you want to keep it at this price, please renew it in your account before then.',
        ),
      ],
    }),
    de: ({ domain, expire_at, renewal }, print) => ({
      subject: `Ab jetzt teurer: ${unicodeName(domain)}`,
      blocks: [
        paragraph(
          `${unicodeName(domain)} ist eine Premium-Domain, deren Registry für eine Verlängerung jetzt mehr verlangt, als Ihnen angezeigt wurde.`,
        ),
        facts(['Ein weiteres Jahr', print.amount(renewal)], ['Laufzeitende', print.moment(expire_at)]),
        paragraph(
          'Sie verlängert sich deshalb nicht mehr von selbst. Wenn Sie sie zu diesem Preis behalten möchten, verlängern Sie sie bitte vorher in Ihrem Kundenkonto.',
        ),
      ],
    }),
  },
  'domain.redemption': {
    en: ({ domain, restorable_until }, print) => ({
      subject: `Deleted, can be restored: ${unicodeName(domain)}`,
      blocks: [
        paragraph(`The domain ${unicodeName(domain)} was deleted at its registry.`),
        facts(['Can be restored until', print.moment(restorable_until)]),
        paragraph(
          'If you still need it, please order its restoration in your account before then. Afterwards anybody can register it.',
        ),
      ],
    }),
    de: ({ domain, restorable_until }, print) => ({
      subject: `Gelöscht, wiederherstellbar: ${unicodeName(domain)}`,
      blocks: [
        paragraph(`die Domain ${unicodeName(domain)} wurde bei ihrer Registry gelöscht.`),
        facts(['Wiederherstellbar bis', print.moment(restorable_until)]),
        paragraph(
          'Wenn Sie sie noch brauchen, bestellen Sie bitte vorher in Ihrem Kundenkonto die Wiederherstellung. Danach kann sie jeder registrieren.',
        ),
      ],
    }),
  },
};
