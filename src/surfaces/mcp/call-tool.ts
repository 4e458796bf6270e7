import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { failureBody, AppError, invalidInput, type InputIssue } from '../../../contracts/errors.js';
import { listEnvelope } from '../../../contracts/envelopes.js';
import { limits } from '../../../contracts/limits.js';
import { toAppError } from '../../../contracts/procedure.js';
import {
  rehearsedReply,
  CallContext,
  counted,
  type RehearsedReply,
  type BoundOperation,
} from '../../procedures/index.js';
import { withRequestId } from '../http/failure-answer.js';
import { readEveryPage } from './resources.js';
import type { AgentSession, AgentTool } from './tools.js';
import { splitControls, type ReadOperation } from './tool-arguments.js';

type Values = Readonly<Record<string, unknown>>;

/** A refused call. What its caller may read is read for it. */
interface RefusedCall {
  readonly values: Values;
  readonly operations: readonly BoundOperation[];
  readonly read: ReadOperation;
}

/** Arguments that are ids of sites, and of nodes. */
const siteKeys: ReadonlySet<string> = new Set(['siteId']);
const nodeKeys = ['nodeId', 'parentId', 'treeParentId', 'beforeId', 'afterId'];

/** The value that an issue is about: an argument, or an item of its list. */
function valueAt(values: Values, [key, index]: InputIssue['path']): unknown {
  const value = values[String(key)];
  return typeof index === 'number' && Array.isArray(value) ? (value as unknown[])[index] : value;
}

/** What a read returns to the caller; undefined if it fails, for whatever reason. */
async function known({ operations, read }: RefusedCall, name: string, input: Values): Promise<unknown> {
  const operation = operations.find((one) => one.name === name);
  if (operation === undefined) return undefined;
  try {
    return ((await read(operation, input)) as { data: unknown }).data;
  } catch {
    return undefined;
  }
}

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Says the id of a site that a call names by its slug. */
async function withSiteId(issue: InputIssue, call: RefusedCall): Promise<InputIssue> {
  const siteSlug = valueAt(call.values, issue.path);
  if (!siteKeys.has(String(issue.path[0])) || !isId(siteSlug)) return issue;
  const site = (await known(call, 'sites.get', { siteSlug })) as { id: string } | undefined;
  if (site === undefined) return issue;
  return { ...issue, message: `${siteSlug} is the slug of a site. Send its id: ${site.id}.` };
}

/** A call that names a node by the id of an entry. */
async function nodeOfEntry(call: RefusedCall): Promise<string | undefined> {
  for (const key of nodeKeys) {
    const id = call.values[key];
    const found = isId(id) ? await known(call, 'entries.get', { id }) : undefined;
    const entry = found as { treeNodeId: string | null } | undefined;
    if (entry === undefined) continue;
    return entry.treeNodeId !== null
      ? `${key} is the id of an entry. Send the id of its node: ${entry.treeNodeId}.`
      : `${key} is the id of an entry, which is in no tree.`;
  }
  return undefined;
}

/** A call that names an entry by the id of its node. */
async function entryOfNode(call: RefusedCall): Promise<string | undefined> {
  for (const key of ['id', 'entryId']) {
    const id = call.values[key];
    const found = isId(id) ? await known(call, 'tree.getNode', { id }) : undefined;
    const node = found as { entryId: string | null } | undefined;
    if (isId(node?.entryId))
      return `${key} is the id of a tree node. Send the id of its entry: ${node.entryId}.`;
  }
  return undefined;
}

const TYPES_NAMED = 20;

/** A call that names a content type that does not exist. */
async function typesOf(call: RefusedCall): Promise<string | undefined> {
  const input = { limit: TYPES_NAMED, orderBy: 'name:asc' };
  const types = ((await known(call, 'contentTypes.list', input)) ?? []) as { apiName: string }[];
  if (types.length === 0) return undefined;
  const names = types.map(({ apiName }) => apiName).sort();
  return `There is no such content type. list_content_types returns those that exist, such as ${names.join(', ')}.`;
}

/** Messages that say what to send instead, by the code of the failure. */
const lessons: Readonly<Record<string, (call: RefusedCall) => Promise<string | undefined>>> = {
  tree_node_not_found: nodeOfEntry,
  entry_not_found: entryOfNode,
  content_type_not_found: typesOf,
};

/** The failure with a message that says what to send instead, where that is known (rule mcp/toolsets). */
async function teach(error: unknown, call: RefusedCall): Promise<unknown> {
  const failure = toAppError(error);
  const { code, details } = failure;
  if (code === 'validation_failed') {
    const { issues = [] } = (details ?? {}) as { issues?: readonly InputIssue[] };
    if (issues.length === 0) return error;
    return invalidInput(...(await Promise.all(issues.map((issue) => withSiteId(issue, call)))));
  }
  const message = await lessons[code]?.(call);
  return message === undefined ? error : new AppError(code, details, message);
}

/** Executes a call, rolls it back and returns its output with the changes in the form of audit records. */
async function rehearse(context: CallContext, call: () => Promise<unknown>): Promise<RehearsedReply> {
  const rehearsal = context.rehearse();
  try {
    return rehearsedReply((await call()) as object, rehearsal);
  } finally {
    context.perform();
  }
}

const textOf = (value: unknown): CallToolResult['content'] => [{ type: 'text', text: JSON.stringify(value) }];

/** The envelope `{data, meta?}` as structured content and as text. */
function toolSuccess(envelope: unknown): CallToolResult {
  return { content: textOf(envelope), structuredContent: envelope as Record<string, unknown> };
}

/** The failure envelope as structured content and as text (rule mcp/results). */
function toolFailure(error: AppError): CallToolResult {
  const body = failureBody(error);
  return { isError: true, content: textOf(body), structuredContent: body };
}

/** The item with these keys only, in their order. */
const pickKeys = (item: unknown, keys: readonly string[]): object =>
  Object.fromEntries(keys.map((key) => [key, (item as Values)[key]]));

async function callOperation(
  { operation, meta: { listsAll, itemKeys } }: AgentTool,
  context: CallContext,
  input: Values,
): Promise<unknown> {
  if (listsAll !== true) return operation.call(context, input);
  const limit = limits.toolListMaximum;
  const all = await readEveryPage((paging) => operation.call(context, { ...input, ...paging }), limit);
  const items = itemKeys === undefined ? all.items : all.items.map((item) => pickKeys(item, itemKeys));
  return listEnvelope({ ...all, items }, { page: 1, limit });
}

interface AdmittedTool {
  readonly values: Values;
  readonly session: AgentSession;
  readonly context: CallContext;
}

async function admitTool(tool: AgentTool, values: Values, session: AgentSession): Promise<unknown> {
  const { services, projectSlug, call } = session;
  const confirmToken = typeof values.confirmToken === 'string' ? values.confirmToken : undefined;
  const context = new CallContext(services, { ...call, tool: tool.name, confirmToken });
  const caller = await context.admit(tool.operation.meta, { projectSlug });
  const counting = { services, call: context.call, caller, operation: tool.operation.meta };
  return counted(counting, () => answerOf(tool, { values, session, context }));
}

/** Runs or rehearses the operation. */
async function answerOf(tool: AgentTool, { values, session, context }: AdmittedTool): Promise<unknown> {
  const { projectSlug, refusal, operations } = session;
  if (refusal !== undefined) throw refusal;
  const { isDryRun, rest } = splitControls(values);
  const read: ReadOperation = (operation, input) => operation.call(context, { projectSlug, ...input });
  const run = async (): Promise<unknown> => {
    try {
      const input = await tool.arguments.toInput(rest, read);
      return await callOperation(tool, context, { ...input, projectSlug });
    } catch (error) {
      throw tool.arguments.inArguments(error);
    }
  };
  try {
    tool.arguments.assert(values);
    return isDryRun ? await rehearse(context, run) : await run();
  } catch (error) {
    throw await teach(error, { values, operations, read });
  }
}

/** Calls the operation of a tool. Failures are tool results; permissions are checked before arguments. */
export async function callTool(
  tool: AgentTool,
  values: Values,
  session: AgentSession,
): Promise<CallToolResult> {
  const { logger, call } = session;
  try {
    return toolSuccess(await admitTool(tool, values, session));
  } catch (error) {
    return toolFailure(withRequestId(toAppError(error), error, { logger, requestId: call.requestId }));
  }
}
