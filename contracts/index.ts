import { graphqlReads } from './delivery/graphql.contract.js';
import { roles } from './vocabulary/roles.contract.js';
import { schema } from './vocabulary/schema.contract.js';
import { webhooks } from './vocabulary/webhooks.contract.js';
import { subjects } from './subjects/index.js';

/**
 * Every contract by resource and verb: the names that tRPC clients call. The inputs of roles, webhooks and schema name
 * what the contracts of the others define.
 */
export const registry = { ...subjects, roles, webhooks, schema } as const;

export type Registry = typeof registry;

/** Such as `entries.publish`. */
export type OperationName = {
  [Group in keyof Registry]: `${Group}.${Extract<keyof Registry[Group], string>}`;
}[keyof Registry];

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
