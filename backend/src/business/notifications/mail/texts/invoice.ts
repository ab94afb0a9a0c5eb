import { facts, paragraph } from '../block.ts';
import type { MailTexts, TemplatesOf } from '../text.ts';

export const invoiceTexts: MailTexts<TemplatesOf<'invoice'>> = {
  'invoice.issued': {
    en: ({ number, gross, kind }, print) =>
      kind === 'invoice'
        ? {
            subject: `Your invoice ${number}`,
            blocks: [
              paragraph(
                'A new invoice is ready for you. It was paid from your balance: there is nothing to pay.',
              ),
              facts(['Invoice', number], ['Amount', print.amount(gross)]),
              paragraph('You can download it in your account, as a PDF and as structured data (XML).'),
            ],
          }
        : {
            subject: `Your credit note ${number}`,
            blocks: [
              paragraph('A credit note was issued for you. Its amount was added to your balance.'),
              facts(['Credit note', number], ['Amount', print.amount(gross)]),
              paragraph('You can download it in your account, as a PDF and as structured data (XML).'),
            ],
          },
    de: ({ number, gross, kind }, print) =>
      kind === 'invoice'
        ? {
            subject: `Ihre Rechnung ${number}`,
            blocks: [
              paragraph(
                'eine neue Rechnung liegt für Sie bereit. Sie wurde aus Ihrem Guthaben bezahlt: Es ist nichts zu überweisen.',
              ),
              facts(['Rechnung', number], ['Betrag', print.amount(gross)]),
              paragraph(
                'Sie können sie in Ihrem Kundenkonto herunterladen, als PDF und als strukturierte Daten (XML).',
              ),
            ],
          }
        : {
            subject: `Ihre Rechnungskorrektur ${number}`,
            blocks: [
              paragraph(
                'für Sie wurde eine Rechnungskorrektur ausgestellt. Der Betrag wurde Ihrem Guthaben gutgeschrieben.',
              ),
              facts(['Rechnungskorrektur', number], ['Betrag', print.amount(gross)]),
              paragraph(
                'Sie können sie in Ihrem Kundenkonto herunterladen, als PDF und als strukturierte Daten (XML).',
              ),
            ],
          },
  },
};
