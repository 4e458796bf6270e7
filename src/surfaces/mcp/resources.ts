import type { ReadResourceResult, Resource } from '@modelcontextprotocol/sdk/types.js';
import type { Page } from '../../../contracts/envelopes.js';
import { limits } from '../../../contracts/limits.js';
import type { McpResourceMeta } from '../../../contracts/metadata.js';
import { toAppError } from '../../../contracts/procedure.js';
import { CallContext, type BoundOperation } from '../../procedures/index.js';
import { withRequestId } from '../http/failure-answer.js';
import { RpcFailure, rpcCodes, rpcFailureOf } from './rpc-failure.js';
import type { AgentSession } from './session.js';

interface Output {
  readonly data: readonly unknown[];
  readonly meta?: { readonly pages?: number; readonly total?: number };
}

/**
 * Every item of a paginated read, up to a maximum. Pages are read in order of creation, so that no item is skipped.
 * `total` counts the items beyond the maximum as well.
 */
export async function readEveryPage(
  readPage: (paging: object) => Promise<unknown>,
  maximum = Infinity,
): Promise<Page<unknown>> {
  const items: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const paging = { page, limit: limits.pageLimitMaximum, orderBy: 'createdAt:asc' };
    const { data, meta = {} } = (await readPage(paging)) as Output;
    items.push(...data);
    if (page >= (meta.pages ?? 1) || items.length >= maximum)
      return { items: items.slice(0, maximum), total: meta.total ?? items.length };
  }
}

/** A resource as `resources/list` shows it. */
export interface AgentResource {
  readonly description: Resource;
  /** The document. @throws what the operations behind it throw */
  read(context: CallContext, projectSlug: string): Promise<Document>;
}

type Document = Readonly<Record<string, unknown>>;

/** A read that contributes to a document. */
interface Part {
  readonly operation: BoundOperation;
  readonly meta: McpResourceMeta;
}

const partsOf = (operations: readonly BoundOperation[], uri: string): Part[] =>
  operations.flatMap((operation) =>
    (operation.meta.mcpResources ?? [])
      .filter((meta) => meta.uri === uri)
      .map((meta) => ({ operation, meta })),
  );

type Call = (operation: BoundOperation, input: object) => Promise<unknown>;

/** Every item of a read. */
async function itemsOf(
  call: Call,
  { operation, meta }: Part,
  input: object = {},
): Promise<readonly unknown[]> {
  const isPaginated = 'page' in operation.input.shape;
  const { items } = await readEveryPage((paging) =>
    call(operation, { ...meta.input, ...input, ...(isPaginated ? paging : {}) }),
  );
  return items;
}

async function itemsBySite(call: Call, part: Part, sites: readonly Part[]): Promise<Document> {
  const bySite: Record<string, readonly unknown[]> = {};
  for (const list of sites)
    for (const { slug } of (await itemsOf(call, list)) as { slug: string }[])
      bySite[slug] = await itemsOf(call, part, { siteSlug: slug });
  return bySite;
}

const mimeType = 'application/json';
const SITES = 'service://sites';

/** Resources of rule mcp/transport; the contracts name the reads of each (rule mcp/results). */
const descriptions: readonly Resource[] = [
  {
    uri: 'service://schema/content-types',
    name: 'content-types',
    title: 'Content types',
    description: 'Every content type with its fields, settings and validations: `{contentTypes: […]}`.',
    mimeType,
  },
  {
    uri: SITES,
    name: 'sites',
    title: 'Sites',
    description: 'Every site with its locales: `{sites: […]}`.',
    mimeType,
  },
  {
    uri: 'service://tree',
    name: 'tree',
    title: 'Trees',
    description:
      'The nodes of the global tree and of every site, each before its children: `{global: […], sites: {<siteSlug>: […]}}`.',
    mimeType,
  },
];

/** The resources whose reads are bound, in the order of the specification. */
export function resourcesOf(operations: readonly BoundOperation[]): AgentResource[] {
  const sites = partsOf(operations, SITES);
  return descriptions
    .map((description) => ({ description, parts: partsOf(operations, description.uri) }))
    .filter(({ parts }) => parts.length > 0)
    .map(({ description, parts }) => ({
      description,
      async read(context, projectSlug) {
        const call: Call = (operation, input) => operation.call(context, { projectSlug, ...input });
        const document: Record<string, unknown> = {};
        for (const part of parts)
          document[part.meta.key] = part.meta.perSite
            ? await itemsBySite(call, part, sites)
            : await itemsOf(call, part);
        return document;
      },
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
