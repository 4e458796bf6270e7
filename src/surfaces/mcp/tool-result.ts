import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { failureBody, type AppError } from '../../../contracts/errors.js';

const textOf = (value: unknown): CallToolResult['content'] => [{ type: 'text', text: JSON.stringify(value) }];

/** The envelope `{data, meta?}` as structured content and as text. */
export function toolSuccess(envelope: unknown): CallToolResult {
  return { content: textOf(envelope), structuredContent: envelope as Record<string, unknown> };
}

/** The failure envelope as structured content and as text (rule mcp/results). */
export function toolFailure(error: AppError): CallToolResult {
  const body = failureBody(error);
  return { isError: true, content: textOf(body), structuredContent: body };
}
