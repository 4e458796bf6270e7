import { AppError, invalidInput, type InputIssue } from '../../../../contracts/errors.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { SignOn, signOn } from '../../../../contracts/tenancy/sign-on/sign-on.contract.js';
import type { SealedBox } from '../../../access/sealed-box.js';
import { isLoopbackHost } from '../../../infrastructure/webhook-target.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import { SignOnRepository, type GroupRole, type NamedRole, type SignOnRow } from './sign-on.repository.js';

export interface SignOnServices {
  /** Encrypts client secrets. */
  readonly secretBox: SealedBox;
}

/** Providers of a company are often in its own network; super-admins, who name them, run the service. */
function isSecureUrl(text: string): boolean {
  const { protocol, hostname, username, search, hash } = new URL(text);
  const isPlain = username === '' && search === '' && hash === '';
  return isPlain && (protocol === 'https:' || isLoopbackHost(hostname));
}

/** Roles that were deleted are not shown; at sign-on they give nothing. */
function presentSignOn(row: SignOnRow, roles: readonly NamedRole[]): SignOn {
  const { clientSecret, groupRoles, updatedAt, scopes, ...shown } = row;
  const named = new Map(roles.map((role) => [role.roleId, role]));
  return {
    ...shown,
    scopes: [...scopes],
    hasClientSecret: clientSecret !== null,
    groupRoles: groupRoles.flatMap(({ group, roleId }) => {
      const role = named.get(roleId);
      return role === undefined ? [] : [{ group, projectSlug: role.projectSlug, roleSlug: role.roleSlug }];
    }),
    updatedAt: updatedAt?.toISOString() ?? null,
  };
}

export async function getSignOn(
  work: UnitOfWork,
  { tenantSlug }: InputOf<typeof signOn.get>,
): Promise<{ data: SignOn }> {
  const signOns = work.use(SignOnRepository);
  const { id } = await signOns.tenant(tenantSlug);
  return { data: presentSignOn(await signOns.of(id), await signOns.roles(id)) };
}

type Change = InputOf<typeof signOn.set>;

/** @throws AppError 404 for the first project or role that the tenant does not have */
function groupRolesOf(given: NonNullable<Change['groupRoles']>, roles: readonly NamedRole[]): GroupRole[] {
  return given.map(({ group, projectSlug, roleSlug }, index) => {
    const inProject = roles.filter((role) => role.projectSlug === projectSlug);
    if (inProject.length === 0)
      throw new AppError('project_not_found', { path: ['groupRoles', index, 'projectSlug'] });
    const role = inProject.find((one) => one.roleSlug === roleSlug);
    if (role === undefined) throw new AppError('role_not_found', { path: ['groupRoles', index, 'roleSlug'] });
    return { group, projectId: role.projectId, roleId: role.roleId };
  });
}

const missing = (key: string): InputIssue => ({
  path: [key],
  code: 'required',
  message: 'Users can sign on only at an identity provider with an issuer and a client id.',
});

/** @throws AppError 422 with an issue for each key */
function assertComplete({ issuer, clientId, isActive, allowsPasswords }: SignOnRow): void {
  const issues = [
    ...(isActive && issuer === null ? [missing('issuer')] : []),
    ...(isActive && clientId === null ? [missing('clientId')] : []),
    ...(issuer === null || isSecureUrl(issuer)
      ? []
      : [
          {
            path: ['issuer'],
            code: 'insecure_url',
            message: 'The issuer must be an https URL without credentials, query and fragment.',
          },
        ]),
    ...(isActive || allowsPasswords
      ? []
      : [
          {
            path: ['allowsPasswords'],
            code: 'not_allowed',
            message: 'Without passwords and without sign-on, no user of the tenant could log in.',
          },
        ]),
  ];
  if (issues.length > 0) throw invalidInput(...issues);
}

/** A secret belongs to its issuer: another one must not receive it. */
function secretOf(before: SignOnRow, issuer: string | null, given: string | null | undefined): string | null {
  if (given !== undefined) return given;
  return issuer === before.issuer ? before.clientSecret : null;
}

export async function setSignOn(
  work: UnitOfWork,
  { tenantSlug, ...input }: Change,
  { secretBox }: SignOnServices,
): Promise<{ data: SignOn }> {
  const signOns = work.use(SignOnRepository);
  const tenant = await signOns.tenant(tenantSlug, { forWrite: true });
  const before = await signOns.of(tenant.id);
  const roles = await signOns.roles(tenant.id);
  const { clientSecret, groupRoles, ...change } = definedKeys(input);
  const sealed =
    typeof clientSecret === 'string' ? secretBox.sealText(clientSecret, tenant.id) : clientSecret;
  const changed = {
    ...before,
    ...change,
    ...(groupRoles !== undefined && { groupRoles: groupRolesOf(groupRoles, roles) }),
  };
  const after = { ...changed, clientSecret: secretOf(before, changed.issuer, sealed) };
  assertComplete(after);
  const shown = { before: presentSignOn(before, roles), after: presentSignOn(after, roles) };
  if (clientSecret === undefined && !hasChanges(before, after)) return { data: shown.before };
  const saved = { ...after, updatedAt: work.now };
  await signOns.save(tenant, saved, shown);
  return { data: presentSignOn(saved, roles) };
}
