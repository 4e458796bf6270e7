import { graphqlReads } from './publishing/delivery/graphql.contract.js';
import { roles } from './access/roles/roles.contract.js';
import { schema } from './deployment/schema/schema.contract.js';
import { webhooks } from './operations/webhooks/webhooks.contract.js';
import { subjects } from './registry/operations.js';

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
