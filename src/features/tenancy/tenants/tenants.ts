import type { Tenant, LocaleInput } from '../../../../contracts/tenancy/tenants/tenant.js';
import { type LocaleRow, type TenantDetails, TenantRepository, type TenantRow } from './tenant.repository.js';
import { AppError } from '../../../../contracts/errors.js';
import type { tenants } from '../../../../contracts/tenancy/tenants/tenants.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { addProject } from '../projects/index.js';
import type { MailServices } from '../../access/mail/index.js';
import { AccountRepository, inviteOwner, newAccount } from '../../access/users/index.js';
import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import {
  followLocales,
  LocaleRepository,
  localeRows,
  presentLocale,
  type TenantLocales,
} from '../locales/index.js';

const senderOf = ({
  name,
  address,
  replyTo,
}: InputOf<typeof tenants.update>['mailSender'] = {}): Tenant['mailSender'] => ({
  name: name ?? null,
  address: address ?? null,
  replyTo: replyTo ?? null,
});

function presentTenant({ tenant, locales, projects }: TenantDetails): Tenant {
  return {
    id: tenant.id,
    slug: tenant.slug,
    name: tenant.name,
    status: tenant.status,
    locales: locales.map((row) => presentLocale(row, tenant.defaultLocale)),
    defaultLocale: tenant.defaultLocale,
    dataRegion: tenant.dataRegion,
    limits: tenant.limits,
    mailSender: tenant.mailSender,
    requireSecondFactor: tenant.requireSecondFactor,
    projects: projects.map(({ id, slug, name }) => ({ id, slug, name })),
    createdAt: tenant.createdAt.toISOString(),
    updatedAt: tenant.updatedAt.toISOString(),
  };
}

/** @throws AppError 404 unless the default is an active locale of the tenant */
function assertDefault(rows: readonly LocaleRow[], defaultLocale: string): void {
  if (!rows.some(({ code, isActive }) => code === defaultLocale && isActive)) {
    throw new AppError('locale_not_found', { path: ['defaultLocale'], locale: defaultLocale });
  }
}

/** Creates the owner's account and the first project in the same transaction. */
export async function createTenant(
  work: UnitOfWork,
  input: InputOf<typeof tenants.create>,
  mail: MailServices,
): Promise<{ data: Tenant }> {
  const id = work.newId();
  const locales = localeRows(id, input.locales);
  const defaultLocale = input.defaultLocale ?? locales[0]?.code ?? '';
  assertDefault(locales, defaultLocale);
  const tenant: TenantRow = {
    id,
    slug: input.slug,
    name: input.name,
    status: 'active',
    defaultLocale,
    dataRegion: input.dataRegion ?? null,
    limits: input.limits ?? {},
    mailSender: senderOf(input.mailSender),
    requireSecondFactor: input.requireSecondFactor ?? false,
    createdAt: work.now,
    updatedAt: work.now,
  };
  const tenants = work.use(TenantRepository);
  await tenants.insert(tenant, locales);
  await tenants.enterNew(id);
  const { ownerEmail: email } = input;
  const owner =
    email === undefined ? undefined : newAccount(work, { tenantId: id, email, passwordHash: null });
  if (owner) {
    const taken = new AppError('email_conflict', { path: ['ownerEmail'] });
    await work.use(AccountRepository).insert({ ...owner, isTenantOwner: true }, taken);
  }
  const projects = input.project === undefined ? [] : [await addProject(work, id, input.project)];
  if (owner) await inviteOwner(work, { owner, tenant, project: projects[0] }, mail);
  const whole = { tenant, locales, projects, owner };
  tenants.note('tenant.create', null, whole);
  return { data: presentTenant(whole) };
}

/** Blocks every interface of the tenant; deletes nothing. */
export async function deactivateTenant(
  work: UnitOfWork,
  input: InputOf<typeof tenants.deactivate>,
): Promise<{ data: { slug: string; status: 'deactivated' } }> {
  const tenants = work.use(TenantRepository);
  const before = await tenants.enter(input.tenantSlug);
  if (before.tenant.status !== 'deactivated') {
    await tenants.save(before, {
      ...before,
      tenant: { ...before.tenant, status: 'deactivated', updatedAt: work.now },
    });
  }
  return { data: { slug: before.tenant.slug, status: 'deactivated' } };
}

export async function getTenant(
  work: UnitOfWork,
  input: InputOf<typeof tenants.get>,
): Promise<{ data: Tenant }> {
  return { data: presentTenant(await work.use(TenantRepository).find(input.tenantSlug)) };
}

export async function listTenants(
  work: UnitOfWork,
  input: InputOf<typeof tenants.list>,
): Promise<{ data: Tenant[]; meta: PageMeta }> {
  const { items, total } = await work.use(TenantRepository).list(input);
  return listEnvelope({ items: items.map(presentTenant), total }, input);
}

/** A bare code keeps the locale's name, fallback and state. */
async function changedLocales(
  work: UnitOfWork,
  before: TenantDetails,
  inputs: readonly LocaleInput[],
): Promise<readonly LocaleRow[]> {
  const known = new Map(before.locales.map((row) => [row.code, row]));
  const rows = localeRows(
    before.tenant.id,
    inputs.map((input) => {
      const { name, fallbackCode, isActive } =
        known.get(typeof input === 'string' ? input : input.code) ?? {};
      return { name, fallbackCode, isActive, ...(typeof input === 'string' ? { code: input } : input) };
    }),
  );
  const removed = before.locales
    .map(({ code }) => code)
    .filter((code) => !rows.some((row) => row.code === code));
  const retired = rows
    .filter(({ code, isActive }) => !isActive && known.get(code)?.isActive === true)
    .map(({ code }) => code);
  const repository = work.use(LocaleRepository);
  await repository.blockWriters(before.tenant.id);
  const uses = await repository.uses(localesOf(before), [...removed, ...retired]);
  // The default and the fallbacks are checked as they are afterwards.
  const used = [...uses].filter(([, by]) => by.some((use) => use !== 'default' && use !== 'fallback'));
  if (used.length > 0) throw new AppError('locale_in_use', { locales: used.map(([code]) => code) });
  return hasChanges({ rows: before.locales }, { rows }) ? rows : before.locales;
}

const localesOf = ({ tenant, locales }: TenantDetails): TenantLocales => ({
  tenantId: tenant.id,
  defaultLocale: tenant.defaultLocale,
  locales,
});

/** Takes effect in its projects at once. */
export async function updateTenant(
  work: UnitOfWork,
  input: InputOf<typeof tenants.update>,
): Promise<{ data: Tenant }> {
  const { tenantSlug, ...change } = input;
  const { locales: inputs, mailSender, ...rest } = definedKeys(change);
  const changes = mailSender === undefined ? rest : { ...rest, mailSender: senderOf(mailSender) };
  const tenants = work.use(TenantRepository);
  const before = await tenants.enter(tenantSlug);
  const locales = inputs === undefined ? before.locales : await changedLocales(work, before, inputs);
  const after = { ...before, locales, tenant: { ...before.tenant, ...changes, updatedAt: work.now } };
  assertDefault(after.locales, after.tenant.defaultLocale);
  if (locales === before.locales && !hasChanges(before.tenant, changes))
    return { data: presentTenant(before) };
  await tenants.save(before, after);
  await followLocales(work, localesOf(before), localesOf(after));
  return { data: presentTenant(after) };
}
