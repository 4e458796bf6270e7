const ASCII = /^[\u0000-\u007f]*$/;

/** PostgreSQL orders the members of an object by the length of their names in bytes, then by bytes. */
function byStoredOrder(a: string, b: string): number {
  if (ASCII.test(a) && ASCII.test(b)) return a.length - b.length || (a < b ? -1 : 1);
  const [left, right] = [Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8')];
  return left.length - right.length || left.compare(right);
}

const isOrdered = (names: readonly string[]): boolean =>
  names.every((name, index) => index === 0 || byStoredOrder(names[index - 1] ?? '', name) < 0);

/** The value itself if it is in stored order, as values that were read from the database are. */
function inStoredOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(inStoredOrder);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members);
  const ordered = names.map((name) => inStoredOrder(members[name]));
  if (isOrdered(names) && ordered.every((member, index) => member === members[names[index] ?? '']))
    return value;
  const places = names.map((name, index) => [name, ordered[index]] as const);
  return Object.fromEntries(places.sort(([a], [b]) => byStoredOrder(a, b)));
}

/** The text that `JSON.stringify` makes of a value once it was stored as `jsonb` and read again. */
export const storedJson = (value: unknown): string => JSON.stringify(inStoredOrder(value)) ?? 'null';
