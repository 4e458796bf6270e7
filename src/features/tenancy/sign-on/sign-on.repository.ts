import { AppError } from '../../../../contracts/errors.js';
import { Repository } from '../../../persistence/repositories/repository.js';

/** Ids, so that renamed projects and roles keep their groups. */
export interface GroupRole {
  readonly group: string;
  readonly projectId: string;
  readonly roleId: string;
}

/** How users of a tenant sign on. */
export interface SignOnRow {
  readonly issuer: string | null;
  readonly clientId: string | null;
  /** Encrypted; null for a public client. */
  readonly clientSecret: string | null;
  readonly label: string | null;
  readonly scopes: readonly string[];
  readonly groupsClaim: string;
  readonly groupRoles: readonly GroupRole[];
  readonly createsAccounts: boolean;
  readonly requiresGroup: boolean;
  readonly allowsPasswords: boolean;
  readonly isActive: boolean;
  /** Null before the first change. */
  readonly updatedAt: Date | null;
}

/** Of a tenant that has changed nothing. */
const INITIAL: SignOnRow = {
  issuer: null,
  clientId: null,
  clientSecret: null,
  label: null,
  scopes: ['email', 'profile'],
  groupsClaim: 'groups',
  groupRoles: [],
  createsAccounts: true,
  requiresGroup: false,
  allowsPasswords: true,
  isActive: false,
  updatedAt: null,
};

export interface SignOnTenant {
  readonly id: string;
  readonly name: string;
}

/** A role by the slugs that people use. */
export interface NamedRole {
  readonly projectId: string;
  readonly projectSlug: string;
  readonly roleId: string;
  readonly roleSlug: string;
}

const columns = `issuer, client_id AS "clientId", client_secret AS "clientSecret", label, scopes, groups_claim AS "groupsClaim",
  group_roles AS "groupRoles", creates_accounts AS "createsAccounts", requires_group AS "requiresGroup",
  allows_passwords AS "allowsPasswords", is_active AS "isActive", updated_at AS "updatedAt"`;

/** Needs a platform scope. */
export class SignOnRepository extends Repository {
  /**
   * Locks the tenant of a write.
   * @throws AppError 404 `tenant_not_found`
   */
  async tenant(slug: string, { forWrite = false } = {}): Promise<SignOnTenant> {
    const [tenant] = await this.query<SignOnTenant>(
      `SELECT id, name FROM tenants WHERE slug = $1 ${forWrite ? 'FOR UPDATE' : ''}`,
      [slug],
    );
    if (tenant === undefined) throw new AppError('tenant_not_found');
    return tenant;
  }

  async activeTenant(
    by: { readonly slug: string } | { readonly id: string },
  ): Promise<SignOnTenant | undefined> {
    const [key, value] = 'slug' in by ? ['slug', by.slug] : ['id', by.id];
    const [tenant] = await this.query<SignOnTenant>(
      `SELECT id, name FROM tenants WHERE ${key} = $1 AND status = 'active'`,
      [value],
    );
    return tenant;
  }

  async of(tenantId: string): Promise<SignOnRow> {
    const [row] = await this.query<SignOnRow>(`SELECT ${columns} FROM sign_ons WHERE tenant_id = $1`, [
      tenantId,
    ]);
    return row ?? INITIAL;
  }

  /** Every role of the tenant. */
  roles(tenantId: string): Promise<NamedRole[]> {
    return this.query<NamedRole>(
      `SELECT p.id AS "projectId", p.slug AS "projectSlug", r.id AS "roleId", r.slug AS "roleSlug"
       FROM roles r JOIN projects p ON p.tenant_id = r.tenant_id AND p.id = r.project_id WHERE r.tenant_id = $1`,
      [tenantId],
    );
  }

  /** @param shown for the audit record, without the secret */
  async save(tenant: SignOnTenant, row: SignOnRow, shown: { before: object; after: object }): Promise<void> {
    await this.query(
      `INSERT INTO sign_ons (tenant_id, issuer, client_id, client_secret, label, scopes, groups_claim, group_roles,
         creates_accounts, requires_group, allows_passwords, is_active, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       ON CONFLICT (tenant_id) DO UPDATE SET issuer = excluded.issuer, client_id = excluded.client_id,
         client_secret = excluded.client_secret, label = excluded.label, scopes = excluded.scopes,
         groups_claim = excluded.groups_claim, group_roles = excluded.group_roles,
         creates_accounts = excluded.creates_accounts, requires_group = excluded.requires_group,
         allows_passwords = excluded.allows_passwords, is_active = excluded.is_active, updated_at = excluded.updated_at`,
      [
        tenant.id,
        row.issuer,
        row.clientId,
        row.clientSecret,
        row.label,
        row.scopes,
        row.groupsClaim,
        JSON.stringify(row.groupRoles),
        row.createsAccounts,
        row.requiresGroup,
        row.allowsPasswords,
        row.isActive,
        row.updatedAt,
      ],
    );
    this.record({
      action: 'tenant.update',
      target: { type: 'tenant', id: tenant.id, name: tenant.name },
      before: { signOn: shown.before },
      after: { signOn: shown.after },
      tenantId: tenant.id,
    });
  }
}
