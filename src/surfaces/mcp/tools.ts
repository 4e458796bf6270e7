import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '../../../contracts/errors.js';
import type { ToolMeta } from '../../../contracts/metadata.js';
import { toolsets, type Toolset } from '../../../contracts/rights.js';
import type { BoundOperation, Call, Services } from '../../procedures/index.js';
import { argumentsOf, type ToolArguments } from './tool-arguments.js';
import { inputSchemaOf, outputSchemaOf } from './tool-schemas.js';
import type { Logger } from '../../infrastructure/logger.js';
import { jsonAnswer, NO_STORE, type HttpAnswer } from '../http/answer.js';

/** −32002 is MCP's code for an unknown resource. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
} as const;

/** A protocol failure, not one of a tool. The SDK reads `code`, `message` and `data`. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';

  constructor(
    readonly code: (typeof rpcCodes)[keyof typeof rpcCodes],
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** A JSON-RPC error whose `data` is `{error, details?}`. */
export function rpcFailureOf({ code, message, details }: AppError): RpcFailure {
  const rpcCode = code === 'internal_error' ? rpcCodes.internalError : rpcCodes.invalidRequest;
  return new RpcFailure(rpcCode, message, details === undefined ? { error: code } : { error: code, details });
}

/** HTTP 400 with a JSON-RPC error without an id, for an invalid message (rule mcp/results). */
export const rpcFailureAnswer = ({ code, message, data }: RpcFailure): HttpAnswer =>
  jsonAnswer(
    400,
    { jsonrpc: '2.0', id: null, error: { code, message, ...(data !== undefined && { data }) } },
    NO_STORE,
  );

export interface AgentTool {
  readonly name: string;
  readonly description: Tool;
  readonly arguments: ToolArguments;
  readonly operation: BoundOperation;
  readonly meta: ToolMeta;
}

/**
 * Hints that differ from the defaults of the protocol: tools write, destroy, are not idempotent and reach other systems.
 * The title is that of the tool.
 */
function annotationsOf(tool: ToolMeta): Tool['annotations'] {
  const isReadOnly = tool.readOnly === true;
  return {
    ...(isReadOnly && { readOnlyHint: true }),
    ...(!isReadOnly && tool.destructive !== true && { destructiveHint: false }),
    ...(!isReadOnly && tool.idempotent === true && { idempotentHint: true }),
    ...(tool.openWorld !== true && { openWorldHint: false }),
  };
}

function toolOf(operation: BoundOperation, tool: ToolMeta, operations: readonly BoundOperation[]): AgentTool {
  const toolArguments = argumentsOf(operation, tool, operations);
  return {
    name: tool.tool,
    arguments: toolArguments,
    operation,
    meta: tool,
    description: {
      name: tool.tool,
      title: tool.title,
      description: tool.description,
      inputSchema: inputSchemaOf(toolArguments, tool),
      outputSchema: outputSchemaOf(operation, tool),
      annotations: annotationsOf(tool),
    },
  };
}

/** The tools that operations declare, sorted by name (rules mcp/transport and mcp/tools). */
export function toolsOf(operations: readonly BoundOperation[]): AgentTool[] {
  const tools = operations.flatMap((operation) =>
    operation.meta.mcp ? [toolOf(operation, operation.meta.mcp, operations)] : [],
  );
  return tools.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Toolsets that the URL of the endpoint names, separated by commas; undefined if it names none.
 * @throws AppError 400 `unknown_toolset`
 */
function namedToolsets(url: string): readonly Toolset[] | undefined {
  const { searchParams } = new URL(url, 'http://localhost');
  const names = searchParams.getAll('toolsets').flatMap((list) => list.split(','));
  const given = names.map((name) => name.trim()).filter((name) => name !== '');
  const unknown = given.filter((name) => !toolsets.some((one) => one === name));
  if (unknown.length > 0) throw new AppError('unknown_toolset', { unknown, known: toolsets });
  return given.length === 0 ? undefined : (given as Toolset[]);
}

/**
 * Toolsets of a connection: those of the key, narrowed by the URL. Undefined for the default tools, if neither chooses.
 * @throws AppError 400 `unknown_toolset`
 */
export function chosenToolsets(url: string, ofKey: readonly Toolset[]): readonly Toolset[] | undefined {
  const named = namedToolsets(url);
  if (ofKey.length === 0) return named;
  return named === undefined ? ofKey : named.filter((one) => ofKey.includes(one));
}

/** The tools of one choice of toolsets (rule mcp/toolsets). */
export interface ToolOffer {
  readonly byName: ReadonlyMap<string, AgentTool>;
  readonly list: Tool[];
}

/** All tools. An offer depends on nothing but the choice, and is made once for each. */
export class AgentTools {
  readonly #all: readonly AgentTool[];
  readonly #offers = new Map<string, ToolOffer>();

  constructor(operations: readonly BoundOperation[]) {
    this.#all = toolsOf(operations);
  }

  offer(chosen: readonly Toolset[] | undefined): ToolOffer {
    const key = chosen === undefined ? 'default' : toolsets.filter((one) => chosen.includes(one)).join();
    const known = this.#offers.get(key);
    if (known !== undefined) return known;
    const isOffered = ({ meta }: AgentTool): boolean =>
      chosen === undefined ? meta.isDefault === true : chosen.includes(meta.toolset);
    const tools = this.#all.filter(isOffered);
    const offer = {
      byName: new Map(tools.map((tool) => [tool.name, tool])),
      list: tools.map(({ description }) => description),
    };
    this.#offers.set(key, offer);
    return offer;
  }
}

/** State of one POST. */
export interface AgentSession {
  readonly services: Services;
  readonly logger: Logger;
  readonly call: Call;
  readonly projectSlug: string;
  readonly tools: ToolOffer;
  /** All, for what a tool or a message needs to look up. */
  readonly operations: readonly BoundOperation[];
  /** Why the arguments of the tool call were rejected. */
  readonly refusal?: AppError | undefined;
}
