import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { toAppError } from '../../../contracts/operation.js';
import { CallContext } from '../../procedures/index.js';
import { withRequestId } from '../http/send.js';
import type { AgentSession } from './session.js';
import { toolFailure, toolSuccess } from './tool-result.js';
import type { AgentTool } from './tools.js';

/**
 * Calls the operation behind a tool. Whatever fails is a reply that an agent can read and mend; a
 * missing permission answers before malformed arguments do.
 */
export async function callTool(
  tool: AgentTool,
  values: Readonly<Record<string, unknown>>,
  session: AgentSession,
): Promise<CallToolResult> {
  const { services, logger, projectSlug, refusal } = session;
  const context = new CallContext(services, { ...session.call, tool: tool.name });
  try {
    await context.admit(tool.operation.meta, { projectSlug });
    if (refusal !== undefined) throw refusal;
    const input = { ...tool.arguments.toInput(values), projectSlug };
    const answer = tool.operation.call(context, input);
    return toolSuccess(
      await answer.catch((error: unknown) => {
        throw tool.arguments.inArguments(error);
      }),
    );
  } catch (error) {
    const failure = withRequestId(toAppError(error), error, { logger, requestId: session.call.requestId });
    return toolFailure(failure);
  }
}
