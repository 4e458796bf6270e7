import type { AppError } from '../../../contracts/errors.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { Call, Services } from '../../procedures/index.js';

/** State of one POST. */
export interface AgentSession {
  readonly services: Services;
  readonly logger: Logger;
  readonly call: Call;
  readonly projectSlug: string;
  /** Why the arguments of the tool call were rejected. */
  readonly refusal?: AppError | undefined;
}
