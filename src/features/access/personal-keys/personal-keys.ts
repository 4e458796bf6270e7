import type {
  PersonalKey,
  personalKeys,
} from '../../../../contracts/access/personal-keys/personal-keys.contract.js';
import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { formatSecret } from '../../../access/key-secret.js';
import { randomSecretBytes } from '../../../infrastructure/ids.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { assertPassword, UserRepository } from '../sessions/index.js';
import { PersonalKeyRepository, type PersonalKeyRow } from './personal-key.repository.js';

const DAY_MS = 86_400_000;

function statusOf({ revokedAt, expiresAt }: PersonalKeyRow, now: Date): PersonalKey['status'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt <= now ? 'expired' : 'active';
}

const presentKey = (row: PersonalKeyRow, now: Date): PersonalKey => ({
  ...row,
  status: statusOf(row, now),
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  revokedAt: row.revokedAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
});

type Whose = Parameters<PersonalKeyRepository['lock']>[0];

const list =
  (whose: Whose) =>
  async (
    work: UnitOfWork,
    input: InputOf<typeof personalKeys.list>,
  ): Promise<{ data: PersonalKey[]; meta: PageMeta }> => {
    const { items, total } = await work.use(PersonalKeyRepository).list(whose, input);
    return listEnvelope({ items: items.map((row) => presentKey(row, work.now)), total }, input);
  };

export const listMyKeys = list('own');
export const listPersonalKeys = list('project');

/**
 * A key lasts longer than a session, so the password is asked for. The secret is returned only here.
 * @throws AppError 401 `invalid_credentials`, 403 `permission_denied`, 404 `project_not_found`, 422 `limit_reached`
 */
export async function createMyKey(
  work: UnitOfWork,
  { name, project, isReadOnly, expiresInDays, currentPassword }: InputOf<typeof personalKeys.create>,
): Promise<{ data: PersonalKey & { secret: string } }> {
  const user = await work.use(UserRepository).lock(work.scope.actor.id ?? '');
  await assertPassword(user, currentPassword);
  // A super-admin is limited by nothing, so a key would be neither.
  if (user.isSuperAdmin)
    throw new AppError('permission_denied', undefined, 'Super-admins have no personal keys.');
  const keys = work.use(PersonalKeyRepository);
  const limit = limits.personalKeysPerUser;
  if ((await keys.countActive(user.id)) >= limit) throw new AppError('limit_reached', { limit });
  const secret = formatSecret('personal', randomSecretBytes());
  const id = work.newId();
  const expiresAt = new Date(work.now.getTime() + expiresInDays * DAY_MS);
  const isMade = await keys.insert({ id, userId: user.id, name, isReadOnly, secret, expiresAt }, project);
  if (!isMade) throw new AppError('project_not_found', { path: ['project'] });
  const row = await keys.lock('own', id);
  keys.note('personal_key_create', row);
  return { data: { ...presentKey(row, work.now), secret } };
}

const revoke =
  (whose: Whose) =>
  async (
    work: UnitOfWork,
    { id }: InputOf<typeof personalKeys.revoke>,
  ): Promise<{ data: { id: string; revokedAt: string } }> => {
    const keys = work.use(PersonalKeyRepository);
    const key = await keys.lock(whose, id);
    if (key.revokedAt !== null) return { data: { id: key.id, revokedAt: key.revokedAt.toISOString() } };
    await keys.revoke(key);
    keys.note('personal_key_revoke', key);
    return { data: { id: key.id, revokedAt: work.now.toISOString() } };
  };

export const revokeMyKey = revoke('own');
export const revokePersonalKey = revoke('project');
