import type { SchemaObject, Schemas } from './types.js';

const id = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';

/** Samples of keys that their shapes describe; {@link commonKeys} has others. */
const samplesByName: Readonly<Record<string, unknown>> = {
  _locale: 'en-US',
  _ref: id,
  _slug: 'the-upper-lock',
  _type: 'article',
  accessToken: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
  allowedEmbeds: ['article', 'image/*'],
  allowedLinks: ['article', 'application/pdf'],
  authorizationUrl: 'https://id.example.com/authorize?state=hT2',
  bg: 'ffffff',
  block: id,
  clientName: 'Writing assistant',
  csv: 'date,published\r\n2026-03-01,4\r\n',
  customFieldType: 'price',
  displayField: 'title',
  entryTitle: 'The upper lock',
  forbiddenPattern: '^Untitled',
  groupsClaim: 'groups',
  headHash: '9f86d081884c7d65',
  invitationUrl: 'https://cms.example.com/admin/welcome#token=hT2',
  lastFour: 'x7Qd',
  logoutUrl: 'https://id.example.com/logout',
  mailedTo: 'mara@example.com',
  mentions: [id],
  network: '203.0.113.0/24',
  operationName: 'Articles',
  outdatedFields: ['title'],
  pattern: '^[A-Z]',
  prefix: 'hwm_',
  query: '{ __typename }',
  quote: 'the upper lock',
  recoveryCodes: ['7kq2-m9xd'],
  redirectHost: 'agents.example.com',
  redirectTo: 'https://agents.example.com/callback?code=hT2',
  refreshToken: 'kmp5Pq3cZ0e3lXq9',
  replaces: id,
  remedy: 'Write it by hand.',
  resetToken: 'kmp5Pq3cZ0e3lXq9',
  responseSnippet: 'accepted',
  scopes: ['openid', 'email'],
  secretPreview: 'whsec_9f…',
  signOnToken: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
  siteSlug: 'main',
  staleComment: 'The opening times changed',
  svg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  token: 'kmp5Pq3cZ0e3lXq9',
  unit: 'title',
  uri: 'otpauth://totp/Headwater:mara?secret=JBSWY3DP',
  what: 'the shortcode [poll]',
  where: 'entry 12 / body',
  why: 'The service has no such part.',
  yaml: 'contentTypes: []\n',
};

const samplesByFormat: Readonly<Record<string, unknown>> = {
  'date-time': '2026-03-01T09:30:00.000Z',
  date: '2026-03-01',
  uuid: id,
  email: 'admin@example.com',
  uri: 'https://www.example.com',
};

/** Properties whose sample is null if they are nullable. */
const usuallyNull: ReadonlySet<string> = new Set([
  'assigneeId',
  'deletedAt',
  'expiresAt',
  'group',
  'revokedAt',
  'treeNodeId',
  'treeParentId',
  'workflow',
]);
const usuallyTrue: ReadonlySet<string> = new Set(['isActive', 'isDefault', 'isLocalized']);

/** The alternatives of a schema, without null. */
function choicesOf(schema: SchemaObject): { choices: SchemaObject[]; isNullable: boolean } {
  const types = [schema.type ?? []].flat();
  const listed = (schema.anyOf ??
    schema.oneOf ??
    types.map((type) => ({ ...schema, type }))) as SchemaObject[];
  const choices = listed.filter(({ type }) => type !== 'null');
  return { choices, isNullable: choices.length < listed.length };
}

function sampleOfString(schema: SchemaObject, name: string): unknown {
  const byFormat = samplesByFormat[String(schema.format)];
  if (byFormat !== undefined) return byFormat;
  if (/(?:^_?id$|Id$|Ids$)/.test(name)) return id;
  const byName = samplesByName[name];
  return typeof byName === 'string' ? byName : '';
}

function sampleOfObject(schema: SchemaObject, schemas: Schemas, name: string): unknown {
  const properties = (schema.properties ?? {}) as Record<string, SchemaObject>;
  const byName = samplesByName[name];
  if (Object.keys(properties).length === 0) return typeof byName === 'object' ? byName : {};
  return Object.fromEntries(
    Object.entries(properties).map(([key, part]) => [key, sampleOf(part, schemas, key)]),
  );
}

function sampleOfArray(schema: SchemaObject, schemas: Schemas, name: string): unknown[] {
  const byName = samplesByName[name];
  if (Array.isArray(byName)) return byName;
  return schema.maxItems === 0 ? [] : [sampleOf((schema.items ?? {}) as SchemaObject, schemas, name)];
}

/** The example, or a value that the schema determines. */
function declaredSample(schema: SchemaObject): unknown {
  const [example] = (schema.examples ?? []) as unknown[];
  const [value] = (schema.enum ?? []) as unknown[];
  return example ?? schema.const ?? schema.default ?? value;
}

function sampleOfType(schema: SchemaObject, schemas: Schemas, name: string): unknown {
  switch (schema.type) {
    case 'object':
      return sampleOfObject(schema, schemas, name);
    case 'array':
      return sampleOfArray(schema, schemas, name);
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema.minimum ?? 1));
    case 'boolean':
      return schema.not !== undefined || usuallyTrue.has(name);
    case 'string':
      return sampleOfString(schema, name);
    default:
      return null;
  }
}

const named = ({ $ref }: SchemaObject, schemas: Schemas): SchemaObject =>
  schemas[String($ref).split('/').at(-1) ?? ''] ?? {};

/** A value that matches a schema, built from the examples of its parts. */
export function sampleOf(schema: SchemaObject, schemas: Schemas, name = ''): unknown {
  const { choices, isNullable } = choicesOf(schema);
  if (isNullable && usuallyNull.has(name)) return null;
  const declared = declaredSample(schema);
  if (declared !== undefined) return declared;
  if (schema.$ref !== undefined) return sampleOf(named(schema, schemas), schemas, name);
  if (schema.allOf !== undefined)
    return Object.assign(
      {},
      ...(schema.allOf as SchemaObject[]).map((part) => sampleOf(part, schemas, name)),
    ) as unknown;
  const [choice] = choices;
  if (choice === undefined) return null;
  return typeof choice.type === 'string'
    ? (declaredSample(choice) ?? sampleOfType(choice, schemas, name))
    : sampleOf(choice, schemas, name);
}
