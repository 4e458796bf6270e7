import { z } from 'zod';
import type { ToolMeta } from '../../../contracts/metadata.js';

/** Arguments that control a call and are not input of the operation (decisions 2.24). */
export interface ToolControls {
  readonly isDryRun: boolean;
  readonly confirmToken: string | undefined;
}

const dryRun = z
  .boolean()
  .optional()
  .meta({ description: 'Return what would change without changing anything.', example: true });

const confirmToken = z
  .string()
  .max(4096)
  .optional()
  .meta({ description: 'The token of a `confirmation_required` reply; every other argument as before.' });

/** Control arguments of a tool: writing tools allow dry runs, some allow confirmation. */
export function controlsOf({ readOnly, needsConfirmation }: ToolMeta): z.ZodRawShape {
  return {
    ...(readOnly !== true && { dryRun }),
    ...(needsConfirmation === true && { confirmToken }),
  };
}

/** Separates control arguments from the input; both are already validated. */
export function splitControls(values: Readonly<Record<string, unknown>>): {
  readonly controls: ToolControls;
  readonly rest: Readonly<Record<string, unknown>>;
} {
  const { dryRun: isDryRun, confirmToken: token, ...rest } = values;
  return {
    controls: { isDryRun: isDryRun === true, confirmToken: typeof token === 'string' ? token : undefined },
    rest,
  };
}
