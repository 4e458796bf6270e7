import { z } from 'zod';
import type { OperationMeta } from '../../../contracts/metadata.js';

const dryRun = z.boolean().optional().meta({ description: 'Only return what would change.', example: true });

const confirmToken = z
  .string()
  .max(4096)
  .optional()
  .meta({ description: 'Token of a `confirmation_required` reply; keep the other arguments.' });

/** Control arguments of a tool: writing tools allow dry runs, some allow confirmation. */
export function controlsOf({ mcp, confirmation }: OperationMeta): z.ZodRawShape {
  return {
    ...(mcp?.readOnly !== true && { dryRun }),
    ...(confirmation !== undefined && { confirmToken }),
  };
}

/** Separates control arguments (rule mcp/results) from the input; both are already validated. */
export function splitControls(values: Readonly<Record<string, unknown>>): {
  readonly isDryRun: boolean;
  readonly rest: Readonly<Record<string, unknown>>;
} {
  const { dryRun: isDryRun, confirmToken: _token, ...rest } = values;
  return { isDryRun: isDryRun === true, rest };
}
