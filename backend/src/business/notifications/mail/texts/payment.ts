import { facts, paragraph } from '../block.ts';
import type { MailTexts, TemplatesOf } from '../text.ts';

export const paymentTexts: MailTexts<TemplatesOf<'payment'>> = {
  'payment.received': {
    en: ({ amount, method, balance }, print) => ({
      subject: `We have received your payment of ${print.amount(amount)}`,
      blocks: [
        paragraph('Thank you, your payment has arrived and was added to your balance.'),
        facts(
          ['Amount', print.amount(amount)],
          ['Paid by', print.paymentMethod(method)],
          ['New balance', print.amount(balance)],
        ),
        paragraph('There is nothing else to do.'),
      ],
    }),
    de: ({ amount, method, balance }, print) => ({
      subject: `Ihre Zahlung über ${print.amount(amount)} ist eingegangen`,
      blocks: [
        paragraph('vielen Dank, Ihre Zahlung ist eingegangen und wurde Ihrem Guthaben gutgeschrieben.'),
        facts(
          ['Betrag', print.amount(amount)],
          ['Zahlungsart', print.paymentMethod(method)],
          ['Neues Guthaben', print.amount(balance)],
        ),
        paragraph('Sie müssen nichts weiter tun.'),
      ],
    }),
  },
  'payment.failed': {
    en: ({ amount, reason }, print) => ({
      subject: `Your payment of ${print.amount(amount)} failed`,
      blocks: [
        paragraph('Your payment could not be completed. Your balance has not changed.'),
        facts(['Amount', print.amount(amount)], ['Reason', reason]),
        paragraph('Please try again in your account, or choose another way to pay.'),
      ],
    }),
    de: ({ amount, reason }, print) => ({
      subject: `Ihre Zahlung über ${print.amount(amount)} ist fehlgeschlagen`,
      blocks: [
        paragraph('Ihre Zahlung konnte nicht ausgeführt werden. Ihr Guthaben hat sich nicht geändert.'),
        facts(['Betrag', print.amount(amount)], ['Grund', reason]),
        paragraph(
          'Bitte versuchen Sie es in Ihrem Kundenkonto erneut, oder wählen Sie eine andere Zahlungsart.',
        ),
      ],
    }),
  },
  'payment.charged-back': {
    en: ({ amount, balance }, print) => ({
      subject: `Your payment of ${print.amount(amount)} was charged back`,
      blocks: [
        paragraph(
          'Your bank or payment provider has taken a payment back. We had to deduct it from your balance.',
        ),
        facts(['Amount', print.amount(amount)], ['New balance', print.amount(balance)]),
        paragraph(
          'If your balance is now negative, please top it up: until then nothing can be ordered or renewed. If you do not know why the payment was taken back, please ask your bank, or contact us.',
        ),
      ],
    }),
    de: ({ amount, balance }, print) => ({
      subject: `Ihre Zahlung über ${print.amount(amount)} wurde zurückgebucht`,
      blocks: [
        paragraph(
          'Ihre Bank oder Ihr Zahlungsanbieter hat eine Zahlung zurückgebucht. Wir mussten sie von Ihrem Guthaben abziehen.',
        ),
        facts(['Betrag', print.amount(amount)], ['Neues Guthaben', print.amount(balance)]),
        paragraph(
          'Falls Ihr Guthaben jetzt negativ ist, laden Sie es bitte auf: Bis dahin kann nichts bestellt oder verlängert werden. Falls Sie den Grund der Rückbuchung nicht kennen, fragen Sie bitte Ihre Bank, oder melden Sie sich bei uns.',
        ),
      ],
    }),
  },
};
