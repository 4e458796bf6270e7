const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Things of the other tenant that ids may name. */
export interface ForeignIds {
  readonly site: string;
  readonly entry: string;
  readonly node: string;
  readonly role: string;
  readonly user: string;
}

/** Where an input holds an id. */
export interface NamedPosition {
  readonly path: readonly (string | number)[];
  readonly kind: keyof ForeignIds;
  /** Nothing need exist there: a filter by maker, a link of a draft. The answers are alike all the same. */
  readonly isQuiet?: boolean;
}

const at = (kind: NamedPosition['kind'], ...path: (string | number)[]): NamedPosition => ({ path, kind });
const quiet = (kind: NamedPosition['kind'], ...path: (string | number)[]): NamedPosition => ({
  ...at(kind, ...path),
  isQuiet: true,
});

/** Positions that examples leave out, by operation. */
export const namedPositions: Readonly<Record<string, readonly NamedPosition[]>> = {
  'entries.list': [
    at('site', 'siteId', 0),
    at('node', 'treeParentId', 0),
    quiet('user', 'createdBy', 0),
    quiet('user', 'updatedBy', 0),
  ],
  'entries.create': [at('node', 'treeParentId'), quiet('entry', 'fields', 'author', '_ref')],
  'entries.update': [at('node', 'treeParentId')],
  'entries.duplicate': [at('site', 'siteId'), at('node', 'treeParentId')],
  'entries.preview': [at('site', 'siteId')],
  'sites.update': [at('entry', 'homeEntryId')],
  'redirects.list': [at('site', 'siteId', 0)],
  'redirects.export': [at('site', 'siteId', 0)],
  'tree.createNode': [at('node', 'parentId'), at('entry', 'entryId')],
  'tree.moveNode': [at('node', 'beforeId'), at('node', 'afterId')],
  'apiKeys.create': [at('site', 'siteIds', 0)],
  'roles.createGrant': [at('site', 'scope', 'siteIds', 0), at('node', 'scope', 'treeNodeIds', 0)],
  'users.list': [at('role', 'roleId')],
  'users.create': [at('role', 'roleIds', 0)],
  'users.update': [at('role', 'roleIds', 0)],
};

/** Positions of examples that find nothing rather than miss something: filters, and items of a bulk call. */
export const quietExamples: ReadonlySet<string> = new Set([
  'entries.bulk entryIds.0',
  'audit.listEvents targetId',
  'audit.exportEvents targetId',
]);

/** Where an example holds ids, however deep, with what stands there in the other tenant's. */
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
