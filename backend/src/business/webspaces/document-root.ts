/** Where a webspace's pages are unless said otherwise. */
export const DOCUMENT_ROOT = 'htdocs';

const STEP = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/;
const MOST_STEPS = 8;

/** Whether a text is a path below a webspace's pages that leads nowhere else: `htdocs`, `htdocs/shop`. */
export function isDocumentRoot(text: string): boolean {
  const [first, ...steps] = text.split('/');
  return first === DOCUMENT_ROOT && steps.length < MOST_STEPS && steps.every((step) => STEP.test(step));
}
