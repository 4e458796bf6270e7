import { newId } from '../infrastructure/ids.js';
import type { WorkScope } from '../persistence/unit-of-work.js';

/** The scope of platform work that a command does without a user: only what no credential exists for yet. */
export function commandScope(command: string): WorkScope {
  return {
    tenantId: null,
    projectId: null,
    projectSlug: null,
    environmentId: null,
    environmentSlug: null,
    isPlatform: true,
    actor: { type: 'system', id: null, name: command },
    permittedActions: null,
    writableSiteIds: [],
    grants: null,
    origin: { ip: null, userAgent: null, requestId: newId(), interface: 'cli' },
    metadata: {},
  };
}
