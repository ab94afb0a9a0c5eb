import type { Locale } from '../../../../operation.ts';
import { facts, paragraph, quotation } from '../block.ts';
import type { MailTexts, TemplatesOf } from '../text.ts';

/** How it goes on. */
const ANSWER: Readonly<Record<Locale, (byMail: boolean) => string>> = {
  en: (byMail) =>
    byMail
      ? 'To answer, reply to this e-mail, or write in your account.'
      : 'To answer, write in your account.',
  de: (byMail) =>
    byMail
      ? 'Um zu antworten, antworten Sie auf diese E-Mail oder schreiben Sie in Ihrem Kundenkonto.'
      : 'Um zu antworten, schreiben Sie in Ihrem Kundenkonto.',
};

function days(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

export const ticketTexts: MailTexts<TemplatesOf<'ticket'>> = {
  'ticket.created': {
    en: ({ number, by_mail }) => ({
      subject: `[${number}] We have received your request`,
      blocks: [
        paragraph(
          `Thank you for your request. Its number is ${number}, and we will answer as soon as we can.`,
        ),
        paragraph(
          by_mail
            ? 'If there is more to say, reply to this e-mail, or write in your account.'
            : 'If there is more to say, write in your account.',
        ),
      ],
    }),
    de: ({ number, by_mail }) => ({
      subject: `[${number}] Ihre Anfrage ist eingegangen`,
      blocks: [
        paragraph(
          `vielen Dank für Ihre Anfrage. Sie hat die Nummer ${number}, und wir antworten so bald wie möglich.`,
        ),
        paragraph(
          by_mail
            ? 'Wenn Sie etwas ergänzen möchten, antworten Sie auf diese E-Mail oder schreiben Sie in Ihrem Kundenkonto.'
            : 'Wenn Sie etwas ergänzen möchten, schreiben Sie in Ihrem Kundenkonto.',
        ),
      ],
    }),
  },
  'ticket.answered': {
    en: ({ number, subject, author, message, files, closed, by_mail }) => ({
      subject: `[${number}] Re: ${subject}`,
      blocks: [
        paragraph(`${author} has answered your request:`),
        quotation(message),
        ...(files.length === 0 ? [] : [facts(['Attached, in your account', files.join(', ')])]),
        ...(closed
          ? [paragraph('With this the request is closed. It opens again when you answer in time.')]
          : []),
        paragraph(ANSWER.en(by_mail)),
      ],
    }),
    de: ({ number, subject, author, message, files, closed, by_mail }) => ({
      subject: `[${number}] AW: ${subject}`,
      blocks: [
        paragraph(`${author} hat auf Ihre Anfrage geantwortet:`),
        quotation(message),
        ...(files.length === 0 ? [] : [facts(['Angehängt, in Ihrem Kundenkonto', files.join(', ')])]),
        ...(closed
          ? [
              paragraph(
                'Damit ist die Anfrage geschlossen. Sie wird wieder geöffnet, wenn Sie rechtzeitig antworten.',
              ),
            ]
          : []),
        paragraph(ANSWER.de(by_mail)),
      ],
    }),
  },
  'ticket.closed': {
    en: ({ number, subject, reopenable_until, silent_days, by_mail }, print) => ({
      subject: `[${number}] Closed: ${subject}`,
      blocks: [
        paragraph(
          silent_days === null
            ? 'We have closed your request, because we believe that it is settled.'
            : `Your request was closed, because we have heard no more for ${days(silent_days, 'day', 'days')} since our answer.`,
        ),
        paragraph(
          `If it is not, it can be opened again until ${print.moment(reopenable_until)}. ${ANSWER.en(by_mail)}`,
        ),
      ],
    }),
    de: ({ number, subject, reopenable_until, silent_days, by_mail }, print) => ({
      subject: `[${number}] Geschlossen: ${subject}`,
      blocks: [
        paragraph(
          silent_days === null
            ? 'wir haben Ihre Anfrage geschlossen, weil sie aus unserer Sicht erledigt ist.'
            : `Ihre Anfrage wurde geschlossen, weil wir seit unserer Antwort ${days(silent_days, 'Tag', 'Tage')} nichts mehr gehört haben.`,
        ),
        paragraph(
          `Falls nicht, kann sie bis ${print.moment(reopenable_until)} wieder geöffnet werden. ${ANSWER.de(by_mail)}`,
        ),
      ],
    }),
  },
};
