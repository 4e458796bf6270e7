import type { ReadPool } from '../../persistence/connections/read-pool.js';

/** A role as the gate needs it. Permissions of system roles are in the code. */
interface KnownRole {
  readonly id: string;
  readonly slug: string;
  readonly isSystem: boolean;
  readonly grants: readonly { resource: string; action: string; scope: object }[];
}

export interface KnownMember {
  readonly id: string;
  readonly tenantId: string | null;
  readonly name: string;
  readonly isSuperAdmin: boolean;
  readonly status: 'active' | 'invited' | 'suspended';
  /** The requested project, if the user is a member of it. */
  readonly projectId: string | null;
  readonly selectedEnvironmentId: string | null;
  /** Empty while the membership is suspended. */
  readonly roles: readonly KnownRole[];
}

const findMember = {
  name: 'find_member',
  text: `SELECT id, tenant_id AS "tenantId", name, is_super_admin AS "isSuperAdmin", status, project_id AS "projectId", roles,
      selected_environment(id, $2) AS "selectedEnvironmentId"
    FROM find_member($1, $2, $3)`,
};

/** Finds users and their grants in one project, before any tenant is known. */
export class MemberLookup {
  /** @param pool uses the service role */
  constructor(private readonly pool: ReadPool) {}

  /** Accepts an invitation on the first call, and records the last activity every five minutes. */
  async find(
    userId: string,
    { projectSlug, now }: { projectSlug: string; now: Date },
  ): Promise<KnownMember | undefined> {
    const [member] = await this.pool.run<KnownMember>(findMember, [userId, projectSlug, now]);
    return member;
  }
}
