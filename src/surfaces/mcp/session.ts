import type { AppError } from '../../../contracts/errors.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { BoundOperation, Call, Services } from '../../procedures/index.js';
import type { ToolOffer } from './tools.js';

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
