import type { ReadResourceResult, Resource } from '@modelcontextprotocol/sdk/types.js';
import { limits } from '../../../contracts/limits.js';
import { toAppError } from '../../../contracts/operation.js';
import { CallContext, type BoundOperation } from '../../procedures/index.js';
import { withRequestId } from '../http/send.js';
import { RpcFailure, rpcCodes, rpcFailureOf } from './rpc-failure.js';
import type { AgentSession } from './session.js';

/** A resource as `resources/list` shows it, with the list operation behind it. */
export interface AgentResource {
  readonly description: Resource;
  /** Key of the document under which the items stand. */
  readonly key: string;
  readonly operation: BoundOperation;
}

const mimeType = 'application/json';

/** Resources of specification 4.4 by the operation that answers them. */
const definitions: readonly { operation: string; key: string; description: Resource }[] = [
  {
    operation: 'contentTypes.list',
    key: 'contentTypes',
    description: {
      uri: 'service://schema/content-types',
      name: 'content-types',
      title: 'Content types',
      description: 'Every content type with its fields, settings and validations: `{contentTypes: […]}`.',
      mimeType,
    },
  },
  {
    operation: 'sites.list',
    key: 'sites',
    description: {
      uri: 'service://sites',
      name: 'sites',
      title: 'Sites',
      description: 'Every site with its locales: `{sites: […]}`.',
      mimeType,
    },
  },
];

/** The resources whose operations are bound, in the order of the specification. */
export function resourcesOf(operations: readonly BoundOperation[]): AgentResource[] {
  return definitions.flatMap(({ operation: name, key, description }) => {
    const operation = operations.find((one) => one.name === name);
    return operation === undefined ? [] : [{ description, key, operation }];
  });
}

/** Every item of a list operation, page by page; in order of creation, so that none is passed over. */
async function everyItem(
  { operation }: AgentResource,
  context: CallContext,
  projectSlug: string,
): Promise<unknown[]> {
  const items: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const input = { projectSlug, page, limit: limits.pageLimitMaximum, orderBy: 'createdAt:asc' };
    const answer = (await operation.call(context, input)) as { data: unknown[]; meta: { pages: number } };
    items.push(...answer.data);
    if (page >= answer.meta.pages) return items;
  }
}

/**
 * Reads a resource as one JSON document.
 * @throws RpcFailure −32002 for an unknown URI; else with `data.error`, such as `api_key_permission_denied`
 */
export async function readResource(
  uri: string,
  resources: readonly AgentResource[],
  session: AgentSession,
): Promise<ReadResourceResult> {
  const resource = resources.find(({ description }) => description.uri === uri);
  if (resource === undefined)
    throw new RpcFailure(rpcCodes.resourceNotFound, 'There is no such resource.', { uri });
  const { services, call, logger, projectSlug } = session;
  try {
    const items = await everyItem(resource, new CallContext(services, call), projectSlug);
    return { contents: [{ uri, mimeType, text: JSON.stringify({ [resource.key]: items }) }] };
  } catch (error) {
    throw rpcFailureOf(withRequestId(toAppError(error), error, { logger, requestId: call.requestId }));
  }
}
