import { deliveryReads } from './delivery/delivery.contract.js';
import { graphqlReads } from './delivery/graphql.contract.js';
import { apiKeys } from './management/api-keys.contract.js';
import { audit } from './management/audit.contract.js';
import { contentTypes } from './management/content-types.contract.js';
import { customFieldTypes } from './management/custom-field-types.contract.js';
import { entries } from './management/entries.contract.js';
import { fields } from './management/fields.contract.js';
import { ipAllowlist } from './management/ip-allowlist.contract.js';
import { locales } from './management/locales.contract.js';
import { redirects } from './management/redirects.contract.js';
import { roles } from './management/roles.contract.js';
import { sites } from './management/sites.contract.js';
import { tree } from './management/tree.contract.js';
import { users } from './management/users.contract.js';
import { webhooks } from './management/webhooks.contract.js';
import { projects } from './platform/projects.contract.js';
import { sessions } from './platform/sessions.contract.js';
import { tenants } from './platform/tenants.contract.js';

/** Every contract by resource and verb: the names that tRPC clients call. */
export const registry = {
  delivery: deliveryReads,
  contentTypes,
  fields,
  customFieldTypes,
  entries,
  sites,
  redirects,
  tree,
  apiKeys,
  webhooks,
  roles,
  users,
  ipAllowlist,
  audit,
  locales,
  tenants,
  projects,
  sessions,
} as const;

export type Registry = typeof registry;

/** Contracts that only GraphQL serves. */
export const graphqlRegistry = { graphql: graphqlReads } as const;

export type {
  Audience,
  OperationMeta,
  Resource,
  RestMeta,
  RootFieldMeta,
  TextResponse,
  TextBody,
  ToolMeta,
} from './metadata.js';
export type { Admission, InputOf, OperationContext } from './procedure.js';
export type { Action } from './rights.js';
