import type { Audience } from '../../../../contracts/metadata.js';
import type { Part } from './types.js';

/** Title, purpose and licence of the interface. */
export const info = {
  title: 'Headwater',
  description: [
    'A multi-tenant, multi-site, multi-locale headless content service.',
    'Successful responses are `{data}`, lists `{data, meta}`, failures `{error, message, details?}`.',
    'A PUT changes the keys that are given and an explicit null clears one.',
    'GraphQL describes itself by introspection, the agents’ endpoint by `tools/list`.',
  ].join('\n\n'),
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
};

/** Groups of operations, in the order in which they are shown. */
export const tags: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'Delivery', description: 'Published content for sites and apps; cacheable at the edge.' },
  { name: 'Content types', description: 'What entries of a project are made of.' },
  { name: 'Fields', description: 'The parts of a content type.' },
  { name: 'Custom field types', description: 'Kinds of values that a project defines by JSON Schemas.' },
  { name: 'Entries', description: 'Content: drafts, publishing and versions, per locale.' },
  { name: 'Tree', description: 'Positions of entries, folders and links, and the paths that result.' },
  { name: 'Sites', description: 'Sites of a project, each with its locales.' },
  { name: 'Roles', description: 'What members of a project may do.' },
  { name: 'Users', description: 'Members of a project.' },
  { name: 'Redirects', description: 'Paths of a site that redirect to others.' },
  { name: 'API keys', description: 'Credentials of programs.' },
  { name: 'IP allowlist', description: 'Networks from which a project may be called.' },
  { name: 'Audit', description: 'Who changed what, and the proof that no record of it was touched.' },
  { name: 'Webhooks', description: 'URLs that receive events.' },
  { name: 'Locales', description: 'Languages that content may be written in.' },
  { name: 'Platform', description: 'Tenants and their projects; super-admins only.' },
  { name: 'Sessions', description: 'Credentials of people.' },
  { name: 'GraphQL', description: 'The same content, asked for by shape.' },
  { name: 'Agents', description: 'Tools and resources for agents over the Model Context Protocol.' },
  { name: 'Service', description: 'The process itself.' },
];

/** How callers prove who they are (specification section 5). */
export const securitySchemes: Record<string, Part> = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A key of the project: `Authorization: Bearer hwd_…`, `hwp_…` or `hwm_…` (delivery, preview, management).',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A session token, as `POST /api/v1/auth/login` returns it.',
  },
};

/** Credentials that an audience takes, any one of them; an empty object is none at all. */
export const securityByAudience: Readonly<Record<Audience, Record<string, string[]>[]>> = {
  delivery: [{ apiKey: [] }, {}],
  management: [{ apiKey: [] }, { session: [] }],
  platform: [{ session: [] }],
  session: [],
};
