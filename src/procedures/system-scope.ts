import { newId } from '../infrastructure/ids.js';
import { platformWork, type WorkScope } from '../persistence/work/unit-of-work.js';

/** The scope of platform work that a command does without a user: only what no credential exists for yet. */
export const commandScope = (command: string): WorkScope =>
  platformWork(
    { type: 'system', id: null, name: command },
    { ip: null, userAgent: null, requestId: newId(), interface: 'cli' },
  );
