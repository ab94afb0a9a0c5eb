import type { Locale } from '../../../operation.ts';
import type { Block } from './block.ts';
import type { Printing } from './printing.ts';
import type { MailSecrets, MailTemplate, MailVariables } from './template.ts';

/** What a mail says, between greeting and signature. */
export interface MailText {
  readonly subject: string;
  readonly blocks: readonly Block[];
}

/** What a template's text is made of: its variables, and its secrets where it has some. */
export type MailValues<T extends MailTemplate> = MailVariables[T] &
  (T extends keyof MailSecrets ? MailSecrets[T] : unknown);

export type MailWriter<T extends MailTemplate> = (values: MailValues<T>, print: Printing) => MailText;

/** The texts of some templates: each in every language, or it does not compile. */
export type MailTexts<T extends MailTemplate> = {
  readonly [Template in T]: { readonly [L in Locale]: MailWriter<Template> };
};

/** The templates whose names begin so. */
export type TemplatesOf<Group extends string> = Extract<MailTemplate, `${Group}.${string}`>;
