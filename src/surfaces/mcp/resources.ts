import type { ReadResourceResult, Resource } from '@modelcontextprotocol/sdk/types.js';
import { limits } from '../../../contracts/limits.js';
import { toAppError } from '../../../contracts/procedure.js';
import { CallContext, type BoundOperation } from '../../procedures/index.js';
import { withRequestId } from '../http/send.js';
import { RpcFailure, rpcCodes, rpcFailureOf } from './rpc-failure.js';
import type { AgentSession } from './session.js';

/** A resource as `resources/list` shows it. */
export interface AgentResource {
  readonly description: Resource;
  /** The document. @throws what the operations behind it throw */
  read(context: CallContext, projectSlug: string): Promise<Document>;
}

type Document = Readonly<Record<string, unknown>>;

/** Calls operations of one project for one agent. */
class ResourceReader {
  constructor(
    private readonly operations: readonly BoundOperation[],
    private readonly context: CallContext,
    private readonly projectSlug: string,
  ) {}

  /** Every item of a list operation, page by page; in order of creation, so that none is passed over. */
  async everyItem(name: string): Promise<unknown[]> {
    const items: unknown[] = [];
    for (let page = 1; ; page += 1) {
      const input = { page, limit: limits.pageLimitMaximum, orderBy: 'createdAt:asc' };
      const answer = (await this.#call(name, input)) as { data: unknown[]; meta: { pages: number } };
      items.push(...answer.data);
      if (page >= answer.meta.pages) return items;
    }
  }

  /** The items of an operation that answers all at once. */
  async items(name: string, input: object): Promise<unknown[]> {
    return ((await this.#call(name, input)) as { data: unknown[] }).data;
  }

  #call(name: string, input: object): Promise<unknown> {
    const operation = this.operations.find((known) => known.name === name);
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    return operation.call(this.context, { projectSlug: this.projectSlug, ...input });
  }
}

/** The nodes of the global tree and of every site's, each list in reading order (decisions 2.30). */
async function everyTree(reader: ResourceReader): Promise<Document> {
  const sites: Record<string, unknown[]> = {};
  for (const { slug } of (await reader.everyItem('sites.list')) as { slug: string }[])
    sites[slug] = await reader.items('tree.listNodes', { siteSlug: slug });
  return { global: await reader.items('tree.getGlobal', { flat: true }), sites };
}

const mimeType = 'application/json';

interface Definition {
  readonly description: Resource;
  /** Names of the operations that it is read by. */
  readonly needs: readonly string[];
  read(reader: ResourceReader): Promise<Document>;
}

/** Resources of specification 4.4. */
const definitions: readonly Definition[] = [
  {
    needs: ['contentTypes.list'],
    read: async (reader) => ({ contentTypes: await reader.everyItem('contentTypes.list') }),
    description: {
      uri: 'service://schema/content-types',
      name: 'content-types',
      title: 'Content types',
      description: 'Every content type with its fields, settings and validations: `{contentTypes: […]}`.',
      mimeType,
    },
  },
  {
    needs: ['sites.list'],
    read: async (reader) => ({ sites: await reader.everyItem('sites.list') }),
    description: {
      uri: 'service://sites',
      name: 'sites',
      title: 'Sites',
      description: 'Every site with its locales: `{sites: […]}`.',
      mimeType,
    },
  },
  {
    needs: ['sites.list', 'tree.listNodes', 'tree.getGlobal'],
    read: everyTree,
    description: {
      uri: 'service://tree',
      name: 'tree',
      title: 'Trees',
      description:
        'The nodes of the global tree and of every site, each before its children: `{global: […], sites: {<siteSlug>: […]}}`.',
      mimeType,
    },
  },
];

/** The resources whose operations are bound, in the order of the specification. */
export function resourcesOf(operations: readonly BoundOperation[]): AgentResource[] {
  const isBound = (name: string): boolean => operations.some((operation) => operation.name === name);
  return definitions
    .filter(({ needs }) => needs.every(isBound))
    .map(({ description, read }) => ({
      description,
      read: (context, projectSlug) => read(new ResourceReader(operations, context, projectSlug)),
    }));
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
    const document = await resource.read(new CallContext(services, call), projectSlug);
    return { contents: [{ uri, mimeType, text: JSON.stringify(document) }] };
  } catch (error) {
    throw rpcFailureOf(withRequestId(toAppError(error), error, { logger, requestId: call.requestId }));
  }
}
