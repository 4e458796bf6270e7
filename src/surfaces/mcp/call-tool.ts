import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { listEnvelope } from '../../../contracts/envelopes.js';
import { limits } from '../../../contracts/limits.js';
import { toAppError } from '../../../contracts/procedure.js';
import { CallContext } from '../../procedures/index.js';
import { withRequestId } from '../http/failure-answer.js';
import { requireConfirmation } from './confirm.js';
import { rehearse } from './dry-run.js';
import { readEveryPage } from './read-every-page.js';
import type { AgentSession } from './session.js';
import { splitControls } from './tool-controls.js';
import { toolFailure, toolSuccess } from './tool-result.js';
import type { AgentTool } from './tools.js';

type Values = Readonly<Record<string, unknown>>;

async function callOperation(
  { operation, listsAll }: AgentTool,
  context: CallContext,
  input: Values,
): Promise<unknown> {
  if (!listsAll) return operation.call(context, input);
  const limit = limits.toolListMaximum;
  const all = await readEveryPage((paging) => operation.call(context, { ...input, ...paging }), limit);
  return listEnvelope(all, { page: 1, limit });
}

/** Runs, rehearses or requires confirmation of the operation, depending on arguments and key. */
async function answerOf(tool: AgentTool, values: Values, session: AgentSession): Promise<unknown> {
  const { services, projectSlug, refusal } = session;
  const context = new CallContext(services, { ...session.call, tool: tool.name });
  const scope = await context.admit(tool.operation.meta, { projectSlug });
  if (refusal !== undefined) throw refusal;
  tool.arguments.assert(values);
  const { controls, rest } = splitControls(values);
  const run = async (given: Values): Promise<unknown> => {
    try {
      return await callOperation(tool, context, { ...tool.arguments.toInput(given), projectSlug });
    } catch (error) {
      throw tool.arguments.inArguments(error);
    }
  };
  const tryOut = () => rehearse(context, () => run(rest));
  if (controls.isDryRun) return tryOut();
  if (!tool.isConfirmed) return run(rest);
  const call = { tool: tool.name, arguments: rest, confirmToken: controls.confirmToken };
  return run(await requireConfirmation(scope, call, tryOut));
}

/** Calls the operation of a tool. Failures are tool results; permissions are checked before arguments. */
export async function callTool(
  tool: AgentTool,
  values: Values,
  session: AgentSession,
): Promise<CallToolResult> {
  const { logger, call } = session;
  try {
    return toolSuccess(await answerOf(tool, values, session));
  } catch (error) {
    return toolFailure(withRequestId(toAppError(error), error, { logger, requestId: call.requestId }));
  }
}
