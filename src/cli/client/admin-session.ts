import { randomBytes } from 'node:crypto';
import { createSuperAdmin } from '../../features/sessions/index.js';
import { commandScope } from '../../procedures/system-scope.js';
import { isAppError, OperationsClient, type Login, type OperationsHost } from './operations-client.js';

/** A login that no user has yet. The suffix tells apart the admins of credentials that were lost. */
export function newLogin(suffix = ''): Login {
  return { email: `admin${suffix}@headwater.example`, password: randomBytes(18).toString('base64url') };
}

/** @returns whether the user was created; false where the address is taken */
async function tryCreate(
  host: OperationsHost,
  command: string,
  { email, password }: Login,
): Promise<boolean> {
  const request = { scope: commandScope(command), isReadOnly: false, lock: 'none' } as const;
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

/** A session and the login that it was started with. */
export interface AdminSession {
  readonly client: OperationsClient;
  readonly login: Login;
  readonly isNew: boolean;
}

/** What {@link openAdminSession} works with. */
export interface AdminSessionOptions {
  readonly host: OperationsHost;
  /** Name of the command, for the audit record. */
  readonly command: string;
  /** The login to use, and to create where nobody has its address. */
  readonly login: Login;
  /** Told of the login that will be created, before it is: what a crash then leaves behind can be used. */
  keep(login: Login): Promise<void>;
}

/**
 * Starts a session of a super-admin. Where the login is refused its user is created; where somebody
 * else has the address, as after the credentials were lost, a super-admin of another address is.
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
