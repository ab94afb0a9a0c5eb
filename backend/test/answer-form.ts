/**
 * Where two answers differ in form, as JSON pointers: members that one lacks, or of another type. What is empty or null
 * in one of them says nothing of its form; rows are compared by the first.
 */
export function differencesOfForm(one: unknown, other: unknown, at = ''): string[] {
  if (isEmpty(one) || isEmpty(other)) return [];
  if (Array.isArray(one) && Array.isArray(other)) return differencesOfForm(one[0], other[0], `${at}/0`);
  if (isObject(one) && isObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].flatMap((name) => {
      const pointer = `${at}/${name}`;
      if (!(name in one) || !(name in other)) return [pointer];
      return differencesOfForm(one[name], other[name], pointer);
    });
  }
  return formOf(one) === formOf(other) ? [] : [at];
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return formOf(value) === 'object';
}

function formOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
