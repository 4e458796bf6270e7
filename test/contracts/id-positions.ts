const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Every position of an id in an example, with the value of the other tenant's example. */
export function idPositions(
  own: unknown,
  other: unknown,
  path: readonly (string | number)[] = [],
): { path: readonly (string | number)[]; value: string }[] {
  if (typeof own === 'string')
    return UUID.test(own) && typeof other === 'string' && own !== other ? [{ path, value: other }] : [];
  if (typeof own !== 'object' || own === null || typeof other !== 'object' || other === null) return [];
  return Object.entries(own).flatMap(([key, value]) =>
    idPositions(value, (other as Record<string, unknown>)[key], [
      ...path,
      Array.isArray(own) ? Number(key) : key,
    ]),
  );
}
