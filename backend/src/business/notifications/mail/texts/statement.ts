import { facts, paragraph } from '../block.ts';
import type { MailTexts, TemplatesOf } from '../text.ts';

export const statementTexts: MailTexts<TemplatesOf<'statement'>> = {
  'statement.monthly': {
    en: ({ month, opening, credit, debit, closing }, print) => ({
      subject: `Your account statement for ${print.month(month)}`,
      blocks: [
        paragraph(`This is what happened to your balance in ${print.month(month)}:`),
        facts(
          ['Opening balance', print.amount(opening)],
          ['Added', print.amount(credit)],
          ['Spent', print.amount(debit)],
          ['Closing balance', print.amount(closing)],
        ),
        paragraph('You find every single booking under “Transactions” in your account.'),
      ],
    }),
    de: ({ month, opening, credit, debit, closing }, print) => ({
      subject: `Ihr Kontoauszug für ${print.month(month)}`,
      blocks: [
        paragraph(`so hat sich Ihr Guthaben im ${print.month(month)} entwickelt:`),
        facts(
          ['Anfangsstand', print.amount(opening)],
          ['Gutschriften', print.amount(credit)],
          ['Ausgaben', print.amount(debit)],
          ['Endstand', print.amount(closing)],
        ),
        paragraph('Jede einzelne Buchung finden Sie unter „Transaktionen“ in Ihrem Kundenkonto.'),
      ],
    }),
  },
};
