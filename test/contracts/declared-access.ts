import type { Access, ManagementAccess, Role } from '../resources/row.js';

export type Credential =
  | {
      readonly kind:
        'none' | 'malformed' | 'broken_token' | 'expired' | 'revoked' | 'other_project' | 'other_tenant';
    }
  | { readonly kind: 'key'; readonly type: 'delivery' | 'preview' | 'management'; readonly action?: string }
  | { readonly kind: 'member'; readonly role: Role }
  | { readonly kind: 'suspended' | 'outsider' | 'super_admin' };

/** `passed` means admitted by the gate, whatever follows. */
export type Outcome = 'passed' | readonly [status: number, code: string];

const denied = [403, 'permission_denied'] as const;
const session401 = [401, 'invalid_session'] as const;
const noKey = [401, 'invalid_api_key'] as const;

function onDelivery(credential: Credential): Outcome {
  switch (credential.kind) {
    case 'none':
      return 'passed';
    case 'key':
      return credential.action === undefined || credential.action === 'read' ? 'passed' : denied;
    case 'other_project':
    case 'other_tenant':
      return [403, 'wrong_project'];
    default:
      return noKey;
  }
}

function onManagement({ key, roles }: ManagementAccess, credential: Credential): Outcome {
  switch (credential.kind) {
    case 'none':
      return [401, 'unauthorized'];
    case 'key':
      if (credential.type !== 'management') return [403, 'wrong_key_type'];
      if (key === 'none') return denied;
      return credential.action === undefined || key === 'any' || credential.action === key
        ? 'passed'
        : denied;
    case 'other_project':
    case 'other_tenant':
    case 'outsider':
      return [403, 'wrong_project'];
    case 'member':
      return roles.includes(credential.role) ? 'passed' : denied;
    case 'suspended':
      return denied;
    case 'super_admin':
      return 'passed';
    default:
      return noKey;
  }
}

function onAccount({ kind }: Credential): Outcome {
  if (kind === 'none') return [401, 'unauthorized'];
  if (kind === 'malformed') return noKey;
  const isKey = kind === 'key' || kind === 'other_project' || kind === 'other_tenant';
  return isKey ? [403, 'wrong_key_type'] : 'passed';
}

/** The outcome that an access row declares for a credential. */
export function declared(access: Access, credential: Credential): Outcome {
  if (access.audience === 'session') return 'passed';
  if (credential.kind === 'expired') return [401, 'api_key_expired'];
  if (credential.kind === 'revoked') return [401, 'api_key_revoked'];
  if (credential.kind === 'broken_token') return access.audience === 'delivery' ? noKey : session401;
  if (access.audience === 'delivery') return onDelivery(credential);
  if (access.audience === 'management') return onManagement(access, credential);
  if (access.audience === 'account') return onAccount(credential);
  if (credential.kind === 'none') return [401, 'unauthorized'];
  if (credential.kind === 'malformed') return noKey;
  return credential.kind === 'super_admin' ? 'passed' : [403, 'super_admin_required'];
}
