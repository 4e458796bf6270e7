import { z } from 'zod';
import type { ToolMeta } from '../../../contracts/metadata.js';

/** How an agent wants a tool called: arguments that are no input of the operation (decisions 2.24). */
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

/** The control arguments that a tool takes: tools that write can be tried, some can be confirmed. */
export function controlsOf({ readOnly, needsConfirmation }: ToolMeta): z.ZodRawShape {
  return {
    ...(readOnly !== true && { dryRun }),
    ...(needsConfirmation === true && { confirmToken }),
  };
}

/** Parts the control arguments from the input; both have passed the tool's schema. */
export function parted(values: Readonly<Record<string, unknown>>): {
  readonly controls: ToolControls;
  readonly rest: Readonly<Record<string, unknown>>;
} {
  const { dryRun: isDryRun, confirmToken: token, ...rest } = values;
  return {
    controls: { isDryRun: isDryRun === true, confirmToken: typeof token === 'string' ? token : undefined },
    rest,
  };
}
