import type { Principal } from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import type { WorkActor, WorkOrigin, WorkScope } from '../persistence/unit-of-work.js';
import type { Call } from './call.js';

function actorOf(principal: Principal): WorkActor {
  if (principal.kind === 'anonymous') return { type: 'system', id: null, name: 'anonymous' };
  return { type: principal.kind, id: principal.id, name: principal.name };
}

function originOf(call: Call): WorkOrigin {
  const { ip, userAgent, requestId } = call;
  const through = call.isCommand === true ? 'cli' : 'management';
  return { ip, userAgent, requestId, interface: call.surface === 'mcp' ? 'mcp' : through };
}

/** Scope of work that belongs to no project: platform operations and the start of sessions. */
export function platformScope(call: Call, principal: Principal = { kind: 'anonymous' }): WorkScope {
  return {
    tenantId: null,
    projectId: null,
    projectSlug: null,
    environmentId: null,
    environmentSlug: null,
    isPlatform: true,
    actor: actorOf(principal),
    permittedActions: null,
    writableSiteIds: [],
    origin: originOf(call),
    metadata: {},
  };
}

/** Scope of work in one environment of a project. */
export function projectScope(call: Call, principal: Principal, catalog: Catalog): WorkScope {
  const { tenant, project, environment } = catalog.data;
  const key = principal.kind === 'api_key' ? principal : undefined;
  const isAgent = call.surface === 'mcp' && key !== undefined;
  return {
    tenantId: tenant.id,
    projectId: project.id,
    projectSlug: project.slug,
    environmentId: environment.id,
    environmentSlug: environment.slug,
    isPlatform: false,
    actor: actorOf(principal),
    permittedActions: key !== undefined && key.permissions.length > 0 ? key.permissions : null,
    writableSiteIds: key?.siteIds ?? [],
    origin: originOf(call),
    // Specification 5 rule 7.
    metadata: isAgent
      ? { mcpApiKeyId: key.id, mcpApiKeyType: key.type, ...(call.tool !== undefined && { tool: call.tool }) }
      : {},
  };
}
