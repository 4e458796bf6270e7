import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { failureBody, type AppError } from '../../../contracts/errors.js';
import { listEnvelope } from '../../../contracts/envelopes.js';
import { limits } from '../../../contracts/limits.js';
import { toAppError } from '../../../contracts/procedure.js';
import { rehearsedReply, CallContext, counted, type RehearsedReply } from '../../procedures/index.js';
import { withRequestId } from '../http/failure-answer.js';
import { readEveryPage } from './resources.js';
import type { AgentSession, AgentTool } from './tools.js';
import { splitControls, type ReadOperation } from './tool-arguments.js';
import { teach } from './teach.js';

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

type Values = Readonly<Record<string, unknown>>;

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
