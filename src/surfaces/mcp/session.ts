import type { AppError } from '../../../contracts/errors.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { Call, Services } from '../../procedures/index.js';

/** What one POST works with; nothing of it outlives the answer. */
export interface AgentSession {
  readonly services: Services;
  readonly logger: Logger;
  readonly call: Call;
  readonly projectSlug: string;
  /** Why the arguments of this message's tool call cannot be taken as they were written. */
  readonly refusal?: AppError | undefined;
}
