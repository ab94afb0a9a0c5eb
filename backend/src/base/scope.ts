/** A scope allows itself, its group (`panel:*`) or everything (`*`). */
export function hasScope(scopes: readonly string[], required: string): boolean {
  const group = `${required.split(':')[0]}:*`;
  return scopes.some((scope) => scope === '*' || scope === required || scope === group);
}
