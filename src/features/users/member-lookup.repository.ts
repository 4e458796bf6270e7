import type { ReadPool } from '../../persistence/connections/read-pool.js';

/** A role as the gate needs it; what system roles permit stands in the code. */
interface KnownRole {
  readonly slug: string;
  readonly isSystem: boolean;
  readonly grants: readonly { resource: string; action: string; scope: object }[];
}

/** A user as the gate needs it. */
export interface KnownMember {
  readonly id: string;
  readonly tenantId: string | null;
  readonly name: string;
  readonly isSuperAdmin: boolean;
  readonly status: 'active' | 'invited' | 'suspended';
  /** The project that was asked for, where the user is a member of it. */
  readonly projectId: string | null;
  /** Roles there; none while the membership is suspended. */
  readonly roles: readonly KnownRole[];
}

const findMember = {
  name: 'find_member',
  text: `SELECT id, tenant_id AS "tenantId", name, is_super_admin AS "isSuperAdmin", status, project_id AS "projectId", roles
    FROM find_member($1, $2, $3)`,
};

/** Finds users with what they may do in one project, before any tenant is known. */
export class MemberLookup {
  /** @param pool works as the service role */
  constructor(private readonly pool: ReadPool) {}

  /** The user, seen now: an invitation is accepted with the first call, and the last one is noted every five minutes. */
  async find(
    userId: string,
    { projectSlug, now }: { projectSlug: string; now: Date },
  ): Promise<KnownMember | undefined> {
    const [member] = await this.pool.run<KnownMember>(findMember, [userId, projectSlug, now]);
    return member;
  }
}
