/**
 * One string for every spelling of a JSON value: sorted keys, no spaces, no undefined members. For hashes and
 * lookups.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = value as Readonly<Record<string, unknown>>;
  let text = '';
  // The default order of sort() is by code units, independent of the locale.
  for (const name of Object.keys(members).sort()) {
    const member = members[name];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** An undefined member equals an absent one. */
export function isEqualJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => isEqualJson(item, b[index]))
    );
  }
  const members = definedMembers(a);
  const others = definedMembers(b);
  return (
    members.size === others.size &&
    [...members].every(([name, member]) => others.has(name) && isEqualJson(member, others.get(name)))
  );
}

function definedMembers(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined));
}
