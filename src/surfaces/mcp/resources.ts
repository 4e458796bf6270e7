import type { ReadResourceResult, Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import type { Page } from '../../../contracts/envelopes.js';
import { limits } from '../../../contracts/limits.js';
import type { McpResourceMeta } from '../../../contracts/metadata.js';
import { toAppError } from '../../../contracts/procedure.js';
import { CallContext, type BoundOperation } from '../../procedures/index.js';
import { withRequestId } from '../http/failure-answer.js';
import { RpcFailure, rpcCodes, rpcFailureOf, type AgentSession } from './tools.js';

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

export const CONTENT_TYPE_TEMPLATE = 'service://content-types/{apiName}';

const templates: readonly ResourceTemplate[] = [
  {
    uriTemplate: CONTENT_TYPE_TEMPLATE,
    name: 'content-type',
    title: 'Content type',
    description: 'One content type with its fields, settings and validations: `{contentType: {…}}`.',
    mimeType,
  },
];

/** A template as `resources/templates/list` shows it. */
export interface AgentTemplate {
  readonly description: ResourceTemplate;
  /** The document of a URI; undefined if the template does not match it. */
  read(uri: string, context: CallContext, projectSlug: string): Promise<Document> | undefined;
}

/** The parameters of a URI, by the template's names; undefined if it does not match. */
function parametersOf(template: string, uri: string): Readonly<Record<string, string>> | undefined {
  const [start = '', name = ''] = template.split(/[{}]/);
  const value = uri.startsWith(start) ? uri.slice(start.length) : '';
  return /^[\w-]+$/.test(value) ? { [name]: value } : undefined;
}

/** The templates whose reads are bound. */
export const templatesOf = (operations: readonly BoundOperation[]): AgentTemplate[] =>
  templates.flatMap((description) =>
    partsOf(operations, description.uriTemplate).map(({ operation, meta }) => ({
      description,
      read(uri, context, projectSlug) {
        const input = parametersOf(description.uriTemplate, uri);
        if (input === undefined) return undefined;
        const reading = operation.call(context, { projectSlug, ...input }) as Promise<{ data: unknown }>;
        return reading.then(({ data }) => ({ [meta.key]: data }));
      },
    })),
  );

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

interface Readables {
  readonly resources: readonly AgentResource[];
  readonly templates: readonly AgentTemplate[];
}

/**
 * Reads a resource as one JSON document.
 * @throws RpcFailure −32002 for an unknown URI; else with `data.error`, such as `api_key_permission_denied`
 */
export async function readResource(
  uri: string,
  { resources, templates: known }: Readables,
  session: AgentSession,
): Promise<ReadResourceResult> {
  const { services, call, logger, projectSlug } = session;
  const context = new CallContext(services, call);
  const resource = resources.find(({ description }) => description.uri === uri);
  const reading =
    resource?.read(context, projectSlug) ??
    known.map((template) => template.read(uri, context, projectSlug)).find((one) => one !== undefined);
  if (reading === undefined)
    throw new RpcFailure(rpcCodes.resourceNotFound, 'There is no such resource.', { uri });
  try {
    const document = await reading;
    return { contents: [{ uri, mimeType, text: JSON.stringify(document) }] };
  } catch (error) {
    throw rpcFailureOf(withRequestId(toAppError(error), error, { logger, requestId: call.requestId }));
  }
}
