import { grantsOf } from '../access/authorize.js';
import { permissionsOf } from '../access/key-grants.js';
import type { KeyPrincipal, Principal } from '../access/principal.js';
import type { Catalog } from '../content/catalog.js';
import {
  atAddress,
  platformWork,
  type KeyBounds,
  type WorkActor,
  type WorkOrigin,
  type WorkScope,
} from '../persistence/work/unit-of-work.js';
import type { Call } from './call.js';

function actorOf(principal: Principal): WorkActor {
  if (principal.kind === 'anonymous') return { type: 'system', id: null, name: 'anonymous' };
  const { kind, id, name } = principal.kind === 'preview' ? principal.maker : principal;
  return { type: kind, id, name };
}

function originOf(call: Call): WorkOrigin {
  const { ip, userAgent, requestId } = call;
  const through = call.isCommand === true ? 'cli' : 'management';
  return { ip, userAgent, requestId, interface: call.surface === 'mcp' ? 'mcp' : through };
}

/** For platform operations and logins. */
export function platformScope(call: Call, principal: Principal = { kind: 'anonymous' }): WorkScope {
  const work = platformWork(actorOf(principal), originOf(call));
  return principal.kind === 'user' ? { ...work, sessionId: principal.sessionId } : work;
}

const boundsOf = (key: KeyPrincipal): KeyBounds => ({
  permissions: permissionsOf(key),
  siteIds: key.siteIds,
  environmentId: key.environmentId,
  expiresAt: key.expiresAt,
  ipAllowlist: key.ipAllowlist,
  isDraftOnly: key.isDraftOnly,
  toolsets: key.toolsets,
  requiresConfirmation: key.requireConfirmation,
});

/** Rule events/records. */
function metadataOf(call: Call, principal: Principal): Readonly<Record<string, string>> {
  if (principal.kind === 'user' && principal.personalKeyId !== undefined)
    return { personalKeyId: principal.personalKeyId };
  if (call.surface !== 'mcp' || principal.kind !== 'api_key') return {};
  const { id, type } = principal;
  return { mcpApiKeyId: id, mcpApiKeyType: type, ...(call.tool !== undefined && { tool: call.tool }) };
}

export function projectScope(call: Call, principal: Principal, catalog: Catalog): WorkScope {
  const key = principal.kind === 'api_key' ? principal : undefined;
  return {
    ...atAddress(platformScope(call, principal), catalog.data),
    grants: grantsOf(principal, catalog.data.environment.slug),
    isSuperAdmin: principal.kind === 'user' && principal.isSuperAdmin,
    roleIds: principal.kind === 'user' ? principal.roleIds : key?.holder?.roleIds,
    keyBounds: key && boundsOf(key),
    metadata: metadataOf(call, principal),
  };
}
