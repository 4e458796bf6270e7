import type { Audience } from '../../../../contracts/metadata.js';
import { same, type Part, type Properties, type SchemaObject, type Schemas } from './types.js';

export const info = {
  title: 'Headwater',
  description: [
    'A multi-tenant, multi-site, multi-locale headless content service.',
    'Successful responses are `{data}`, lists `{data, meta}`, failures `{error, message, details?}`.',
    'A PUT updates the given properties; null clears one. Its body may also contain the read-only properties that GET of the same path returns, with their current values, so that a resource can be read, changed and sent back.',
    'Every response has `X-Request-Id`; those that are not cacheable also have `RateLimit-Policy` and `RateLimit`. Failures that many operations have in common, of credentials, bodies, rate limits and the service, are the response `default`.',
    'GraphQL is described by introspection, the MCP endpoint by `tools/list`.',
  ].join('\n\n'),
  contact: { name: 'Headwater' },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
};

/** In display order. */
export const tags: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'Delivery', description: 'Published content for sites and apps, cacheable at the edge.' },
  { name: 'Content types', description: 'Definitions of the entries of a project.' },
  { name: 'Fields', description: 'Fields of a content type.' },
  { name: 'Custom field types', description: 'Field types defined by a JSON Schema.' },
  { name: 'Entries', description: 'Content with drafts, publishing and versions per locale.' },
  { name: 'Tree', description: 'Positions of entries, folders and links, which determine paths.' },
  { name: 'Sites', description: 'Sites of a project with their locales.' },
  { name: 'Roles', description: 'Permissions of members of a project.' },
  { name: 'Users', description: 'Members of a project.' },
  { name: 'Media', description: 'Files with overlays per locale, in folders.' },
  { name: 'Redirects', description: 'Redirects from paths of a site.' },
  { name: 'API keys', description: 'Credentials for programs.' },
  { name: 'Releases', description: 'Changes that are published together.' },
  { name: 'Calendar', description: 'What was and will be published.' },
  { name: 'Search', description: 'Entries by their words and fields.' },
  { name: 'Translations', description: 'Status of entries per locale, and who translates them.' },
  { name: 'Environments', description: 'Copies of content and schema, and what differs between them.' },
  { name: 'Workflows', description: 'States of entries and the transitions between them.' },
  { name: 'Schema', description: 'The schema of a project as one document: export, plan, apply, undo.' },
  { name: 'Comments', description: 'Discussion of entries, and who is mentioned in it.' },
  { name: 'Tasks', description: 'What waits for a user.' },
  { name: 'Governance', description: 'What an analysis found about keys, users, webhooks and entries.' },
  { name: 'Views', description: 'Saved filters, columns and order of a list.' },
  { name: 'IP allowlist', description: 'Networks that can send requests to a project.' },
  { name: 'Reports', description: 'What was published, by whom, and how keys are used.' },
  { name: 'Audit', description: 'Records of all changes, protected against tampering.' },
  { name: 'Webhooks', description: 'URLs that receive events.' },
  { name: 'Locales', description: 'Languages of content.' },
  { name: 'Platform', description: 'Tenants and their projects. Super-admins only.' },
  { name: 'Caller', description: 'Who calls, and what they may do.' },
  { name: 'Notifications', description: 'What happened and concerns the user.' },
  { name: 'Sessions', description: 'Credentials for users.' },
  { name: 'Second factor', description: 'Codes that logins of a user need besides the password.' },
  { name: 'OAuth', description: 'Consent of users to hosts of agents that connect by URL.' },
  { name: 'Personal keys', description: 'Keys that act as a user in one project.' },
  { name: 'Passkeys', description: 'Passkeys of a user, for logins without a password.' },
  { name: 'GraphQL', description: 'Content queries with a schema per project.' },
  { name: 'Agents', description: 'Tools and resources for agents via the Model Context Protocol.' },
  { name: 'Service', description: 'Health, metrics and documentation of the service.' },
];

/** Specification section 5. */
export const securitySchemes: Record<string, Part> = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'API key of the project: `Authorization: Bearer hwd_…`, `hwp_…` or `hwm_…` (delivery, preview, management).',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Session token returned by `POST /api/v1/auth/login`.',
  },
};

/** Alternative credentials of an audience; an empty object means none. */
export const securityByAudience: Readonly<Record<Audience, Record<string, string[]>[]>> = {
  delivery: [{ apiKey: [] }, {}],
  management: [{ apiKey: [] }, { session: [] }],
  platform: [{ session: [] }],
  session: [],
  account: [{ session: [] }],
};

/** Names of the component schemas that a value references. */
export function referencesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name ?? '',
  );
}

/** Schemas reachable from `names`, including themselves. */
export function reachedFrom(names: readonly string[], schemas: Schemas): Set<string> {
  const reached = new Set<string>();
  for (const queue = [...names]; queue.length > 0;) {
    const name = queue.pop() ?? '';
    if (reached.has(name)) continue;
    reached.add(name);
    queue.push(...referencesIn(schemas[name] ?? {}));
  }
  return reached;
}

/** The parts with these names. */
export const named = <T>(parts: Readonly<Record<string, T>>, names: ReadonlySet<string>): Record<string, T> =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => names.has(name)));

/** Names of components of a kind that a value refers to. */
export const referredTo = (kind: string, value: unknown): Set<string> =>
  new Set(
    [...JSON.stringify(value).matchAll(new RegExp(`"#/components/${kind}/([^"]+)"`, 'g'))].map(
      ([, name = '']) => name,
    ),
  );

/** Unions of fewer alternatives stay as they are. */
const SHORTEST_UNION = 8;

interface Variant {
  readonly properties: Properties;
  readonly required: readonly string[];
}

function variantsOf({ oneOf }: SchemaObject): readonly Variant[] {
  const variants = ((oneOf ?? []) as SchemaObject[]).map(({ properties = {}, required = [] }) => ({
    properties: properties as Properties,
    required: required as string[],
  }));
  return variants.length >= SHORTEST_UNION ? variants : [];
}

/** The key whose value says which alternative it is. */
function discriminatorOf(variants: readonly Variant[]): string | undefined {
  const [first] = variants;
  return Object.keys(first?.properties ?? {}).find((name) =>
    variants.every(({ properties }) => properties[name]?.const !== undefined),
  );
}

/** What every alternative allows for a key, or any of what they allow. */
function mergedKey(name: string, variants: readonly Variant[]): SchemaObject {
  const allowed = variants.map(({ properties }) => properties[name] ?? {});
  const distinct = [...new Map(allowed.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [first = {}] = distinct;
  if (distinct.length === 1) return first;
  const descriptions = [...new Set(distinct.map(({ description }) => description))];
  const description = descriptions.length === 1 ? { description: descriptions[0] } : {};
  return { anyOf: distinct, ...description };
}

/** Keys that the alternatives allow different values for, one condition for all alternatives with the same ones. */
function conditionsOf(discriminator: string, variants: readonly Variant[], base: Variant): SchemaObject[] {
  const groups = Map.groupBy(variants, ({ properties, required }) => {
    const own = Object.entries(properties).filter(([name, schema]) => !same(schema, base.properties[name]));
    const differing = Object.fromEntries(own.filter(([name]) => name !== discriminator));
    const needed = required.filter((name) => !base.required.includes(name));
    return JSON.stringify({ properties: differing, ...(needed.length > 0 && { required: needed }) });
  });
  return [...groups].map(([then, members]) => ({
    if: {
      properties: {
        [discriminator]: { enum: members.map(({ properties }) => properties[discriminator]?.const) },
      },
    },
    then: JSON.parse(then) as SchemaObject,
  }));
}

/**
 * A long union of objects that differ in a few keys as one object with conditions: many times shorter, and one type in
 * generated clients instead of one for each alternative.
 */
function foldUnion(schema: SchemaObject): SchemaObject {
  const variants = variantsOf(schema);
  const discriminator = discriminatorOf(variants);
  const [first] = variants;
  if (first === undefined || discriminator === undefined) return schema;
  const required = first.required.filter((name) =>
    variants.every((variant) => variant.required.includes(name)),
  );
  const names = [...new Set(variants.flatMap(({ properties }) => Object.keys(properties)))];
  const merged = Object.fromEntries(names.map((name) => [name, mergedKey(name, variants)]));
  const { description } = first.properties[discriminator] ?? {};
  const kinds = variants.map(({ properties }) => properties[discriminator]?.const);
  const properties = { ...merged, [discriminator]: { type: 'string', enum: kinds, description } };
  const { oneOf, ...other } = schema;
  const [{ additionalProperties = true } = {}] = oneOf as SchemaObject[];
  return {
    ...other,
    type: 'object',
    properties,
    required,
    ...(additionalProperties === false && { additionalProperties }),
    allOf: [{ allOf: conditionsOf(discriminator, variants, { properties: merged, required }) }],
  };
}

export const foldUnions = (schemas: Schemas): Schemas =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, foldUnion(schema)]));
