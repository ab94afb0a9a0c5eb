import type { Locale } from '../../../../operation.ts';
import { type Block, facts, paragraph, table } from '../block.ts';
import type { Printing } from '../printing.ts';
import type { ListedService } from '../template.ts';
import type { MailTexts, TemplatesOf } from '../text.ts';

const WORDS: Readonly<
  Record<Locale, Readonly<Record<'service' | 'product' | 'end' | 'renewal' | 'none', string>>>
> = {
  en: { service: 'Service', product: 'Product', end: 'End of term', renewal: 'Renewal', none: 'not renewed' },
  de: {
    service: 'Dienst',
    product: 'Produkt',
    end: 'Laufzeitende',
    renewal: 'Verlängerung',
    none: 'wird nicht verlängert',
  },
};
/** Products that come by the interface's word for their kind; others have a name of their own. */
const PRODUCTS: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  en: { license: 'License', server: 'Server', webspace: 'Webspace', domain: 'Domain' },
  de: { license: 'Lizenz', server: 'Server', webspace: 'Webspace', domain: 'Domain' },
};

/** The services with the ends of their terms. */
function services(locale: Locale, listed: readonly ListedService[], print: Printing): Block {
  const { service, product, end } = WORDS[locale];
  return table(
    [service, product, end],
    listed.map((one) => [
      one.name,
      PRODUCTS[locale][one.product] ?? one.product,
      print.moment(one.expire_at),
    ]),
  );
}

/** The same with what their renewals cost. */
function renewals(locale: Locale, listed: readonly ListedService[], print: Printing): Block {
  const { service, product, end, renewal, none } = WORDS[locale];
  return table(
    [service, product, end, renewal],
    listed.map((one) => [
      one.name,
      PRODUCTS[locale][one.product] ?? one.product,
      print.moment(one.expire_at),
      one.renewal === null ? none : print.amount(one.renewal),
    ]),
  );
}

/** `web.example.com`, or `3 services`: what a subject has room for. */
function accountResource(listed: readonly ListedService[], many: (count: number) => string): string {
  const [first] = listed;
  return first !== undefined && listed.length === 1 ? first.name : many(listed.length);
}

const SERVICES = (count: number) => `${count} services`;
const DIENSTE = (count: number) => `${count} Dienste`;

export const serviceTexts: MailTexts<TemplatesOf<'service'>> = {
  'service.expiring': {
    en: ({ services: listed }, print) => ({
      subject: `The term ends soon: ${accountResource(listed, SERVICES)}`,
      blocks: [
        paragraph('The terms of these services end soon:'),
        renewals('en', listed, print),
        paragraph(
          'Where a price is given, the service renews automatically at this price, paid from your balance. Please see to it that your balance is sufficient.',
        ),
        paragraph(
          'Where none is given, the service ends. If you want to keep it, please renew it in your account before then.',
        ),
      ],
    }),
    de: ({ services: listed }, print) => ({
      subject: `Die Laufzeit endet bald: ${accountResource(listed, DIENSTE)}`,
      blocks: [
        paragraph('die Laufzeit dieser Dienste endet bald:'),
        renewals('de', listed, print),
        paragraph(
          'Wo ein Preis steht, verlängert sich der Dienst automatisch zu diesem Preis, bezahlt aus Ihrem Guthaben. Bitte achten Sie darauf, dass Ihr Guthaben ausreicht.',
        ),
        paragraph(
          'Wo keiner steht, endet der Dienst. Wenn Sie ihn behalten möchten, verlängern Sie ihn bitte vorher in Ihrem Kundenkonto.',
        ),
      ],
    }),
  },
  'service.unpaid': {
    en: ({ services: listed, missing }, print) => ({
      subject: `Could not be renewed: ${accountResource(listed, SERVICES)}`,
      blocks: [
        paragraph('Your balance was not sufficient to renew these services:'),
        renewals('en', listed, print),
        facts(['Missing amount', print.amount(missing)]),
        paragraph(
          'Please top up your balance by at least this amount now. The services are then renewed by themselves; otherwise they will be switched off.',
        ),
      ],
    }),
    de: ({ services: listed, missing }, print) => ({
      subject: `Verlängerung nicht möglich: ${accountResource(listed, DIENSTE)}`,
      blocks: [
        paragraph('Ihr Guthaben hat nicht ausgereicht, um diese Dienste zu verlängern:'),
        renewals('de', listed, print),
        facts(['Fehlender Betrag', print.amount(missing)]),
        paragraph(
          'Bitte laden Sie Ihr Guthaben jetzt mindestens um diesen Betrag auf. Die Dienste verlängern sich dann von selbst; andernfalls werden sie abgeschaltet.',
        ),
      ],
    }),
  },
  'service.not-renewable': {
    en: ({ services: listed }, print) => ({
      subject: `Ends with its term: ${accountResource(listed, SERVICES)}`,
      blocks: [
        paragraph('We no longer sell a further term of the same length for these services:'),
        services('en', listed, print),
        paragraph(
          'They are therefore not renewed automatically, and end as stated. Nothing is charged for them any more.',
        ),
        paragraph(
          'Your account shows whether a term of another length is on offer. Otherwise please save what you still need before then.',
        ),
      ],
    }),
    de: ({ services: listed }, print) => ({
      subject: `Endet mit der Laufzeit: ${accountResource(listed, DIENSTE)}`,
      blocks: [
        paragraph('für diese Dienste bieten wir keine weitere Laufzeit derselben Länge mehr an:'),
        services('de', listed, print),
        paragraph(
          'Sie verlängern sich deshalb nicht von selbst und enden wie angegeben. Berechnet wird dafür nichts mehr.',
        ),
        paragraph(
          'In Ihrem Kundenkonto sehen Sie, ob eine andere Laufzeit angeboten wird. Sonst sichern Sie bitte bis dahin, was Sie noch brauchen.',
        ),
      ],
    }),
  },
  'service.switched-off': {
    en: ({ services: listed, deleted_at }, print) => ({
      subject: `Switched off: ${accountResource(listed, SERVICES)}`,
      blocks: [
        paragraph('The terms of these services have ended, and they were switched off:'),
        services('en', listed, print),
        facts(['Will be deleted for good', print.moment(deleted_at)]),
        paragraph(
          'Until then nothing is lost: top up your balance if necessary and renew the service in your account, and it is switched on again.',
        ),
        paragraph('If you no longer need it, there is nothing else to do.'),
      ],
    }),
    de: ({ services: listed, deleted_at }, print) => ({
      subject: `Abgeschaltet: ${accountResource(listed, DIENSTE)}`,
      blocks: [
        paragraph('die Laufzeit dieser Dienste ist zu Ende, und sie wurden abgeschaltet:'),
        services('de', listed, print),
        facts(['Endgültige Löschung', print.moment(deleted_at)]),
        paragraph(
          'Bis dahin geht nichts verloren: Laden Sie bei Bedarf Ihr Guthaben auf, und verlängern Sie den Dienst in Ihrem Kundenkonto. Er wird dann wieder eingeschaltet.',
        ),
        paragraph('Wenn Sie ihn nicht mehr brauchen, müssen Sie nichts weiter tun.'),
      ],
    }),
  },
  'service.ended': {
    en: ({ services: listed, deleted_at }, print) => ({
      subject: `Ended: ${accountResource(listed, SERVICES)}`,
      blocks: [
        paragraph('As you cancelled them, these services have ended, and they were switched off:'),
        services('en', listed, print),
        facts(['Will be deleted for good', print.moment(deleted_at)]),
        paragraph('There is nothing else to do.'),
      ],
    }),
    de: ({ services: listed, deleted_at }, print) => ({
      subject: `Beendet: ${accountResource(listed, DIENSTE)}`,
      blocks: [
        paragraph('wie von Ihnen gekündigt, sind diese Dienste beendet und wurden abgeschaltet:'),
        services('de', listed, print),
        facts(['Endgültige Löschung', print.moment(deleted_at)]),
        paragraph('Sie müssen nichts weiter tun.'),
      ],
    }),
  },
  'service.deleted': {
    en: ({ services: listed }, print) => ({
      subject: `Deleted: ${accountResource(listed, SERVICES)}`,
      blocks: [
        paragraph('These services, and all that was stored in them, were deleted for good:'),
        services('en', listed, print),
        paragraph(
          'You will not be charged for them any more. You can order a new service in your account at any time.',
        ),
      ],
    }),
    de: ({ services: listed }, print) => ({
      subject: `Gelöscht: ${accountResource(listed, DIENSTE)}`,
      blocks: [
        paragraph('diese Dienste und alles, was darin gespeichert war, wurden endgültig gelöscht:'),
        services('de', listed, print),
        paragraph(
          'Sie werden Ihnen nicht mehr berechnet. Einen neuen Dienst können Sie jederzeit in Ihrem Kundenkonto bestellen.',
        ),
      ],
    }),
  },
  'service.cancelled': {
    en: ({ services: listed, effective_at, revocable_until }, print) => ({
      subject: `Cancellation confirmed: ${accountResource(listed, SERVICES)}`,
      blocks: [
        paragraph('We confirm your cancellation of:'),
        services('en', listed, print),
        facts(['Ends', print.moment(effective_at)]),
        ...(revocable_until === null
          ? [paragraph('This cancellation is final.')]
          : [
              paragraph('Please save what you still need before then.'),
              paragraph(
                `If you change your mind, you can take the cancellation back in your account until ${print.moment(revocable_until)}.`,
              ),
            ]),
      ],
    }),
    de: ({ services: listed, effective_at, revocable_until }, print) => ({
      subject: `Kündigung bestätigt: ${accountResource(listed, DIENSTE)}`,
      blocks: [
        paragraph('wir bestätigen Ihnen die Kündigung von:'),
        services('de', listed, print),
        facts(['Endet', print.moment(effective_at)]),
        ...(revocable_until === null
          ? [paragraph('Diese Kündigung ist endgültig.')]
          : [
              paragraph('Bitte sichern Sie bis dahin, was Sie noch brauchen.'),
              paragraph(
                `Falls Sie es sich anders überlegen, können Sie die Kündigung bis zum ${print.moment(revocable_until)} in Ihrem Kundenkonto zurücknehmen.`,
              ),
            ]),
      ],
    }),
  },
};
