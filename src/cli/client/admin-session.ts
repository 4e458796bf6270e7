import { randomBytes } from 'node:crypto';
import { createSuperAdmin } from '../../features/access/sessions/index.js';
import { systemScope } from '../../persistence/work/unit-of-work.js';
import { OperationsClient, type OperationsHost } from './operations-client.js';
import { isAppError, type Login } from './rest-operations.js';

export const newPassword = (): string => randomBytes(18).toString('base64url');

/** The suffix distinguishes admins whose credentials were lost. */
export function newLogin(suffix = ''): Login {
  return { email: `admin${suffix}@headwater.example`, password: newPassword() };
}

/** @returns false when the address is taken */
async function tryCreate(
  host: OperationsHost,
  command: string,
  { email, password }: Login,
): Promise<boolean> {
  const request = { scope: systemScope({ command }), isReadOnly: false, lock: 'none' } as const;
  try {
    await host.services.units.run(request, (work) =>
      createSuperAdmin(work, { email, name: 'Administrator', password }),
    );
    return true;
  } catch (error) {
    if (isAppError(error, 'conflict')) return false;
    throw error;
  }
}

export interface AdminSession {
  readonly client: OperationsClient;
  readonly login: Login;
  readonly isNew: boolean;
}

export interface AdminSessionOptions {
  readonly host: OperationsHost;
  /** Name of the command, for the audit record. */
  readonly command: string;
  /** Used, or created when its address is free. */
  readonly login: Login;
  /** Called before a login is created, so that a crash leaves a usable one. */
  keep(login: Login): Promise<void>;
}

/**
 * Logs in, or creates the super-admin. When the address is taken, as after the credentials were lost, another
 * address is used.
 */
export async function openAdminSession(options: AdminSessionOptions): Promise<AdminSession> {
  const { host, command, login, keep } = options;
  try {
    return { client: await OperationsClient.login(host, login), login, isNew: false };
  } catch (error) {
    if (!isAppError(error, 'invalid_credentials')) throw error;
  }
  for (let candidate = login; ; candidate = newLogin(`-${randomBytes(4).toString('hex')}`)) {
    await keep(candidate);
    if (!(await tryCreate(host, command, candidate))) continue;
    return { client: await OperationsClient.login(host, candidate), login: candidate, isNew: true };
  }
}
