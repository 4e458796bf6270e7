import pg from 'pg';
import { ensureBackupPolicies, serviceRoles } from './declared-access.js';
import {
  createRoleStatement,
  grantStatements,
  inspectRoles,
  missingGrants,
  missingPolicies,
  type Roles,
} from './missing-access.js';

const INSUFFICIENT_PRIVILEGE = '42501';

const namesOf = (roles: readonly string[]): string =>
  `${roles.length === 1 ? 'role' : 'roles'} ${roles.join(' and ')}`;

const membership = (owner: string, roles: readonly string[]): string =>
  `GRANT ${roles.join(', ')} TO ${owner};`;

/** One line: what is missing, who can provide it and the SQL to run. */
class MissingAccessError extends Error {
  override readonly name = 'MissingAccessError';
}

function missingRolesError({ owner, missing }: Roles): MissingAccessError {
  const sql = [...missing.map(createRoleStatement), membership(owner, serviceRoles)].join(' ');
  return new MissingAccessError(
    `The database lacks the ${namesOf(missing)}, and ${owner} lacks CREATEROLE to create them. ` +
      `Run as a superuser: ${sql} Then run npm run migrate.`,
  );
}

/** Creates missing roles. The owner of other databases of the cluster may have created them before. */
export async function ensureRoles(client: pg.Client): Promise<string[]> {
  const roles = await inspectRoles(client);
  if (roles.missing.length > 0 && !roles.canCreateRoles) throw missingRolesError(roles);
  const created = roles.missing.map(createRoleStatement);
  for (const statement of created) await client.query(statement);
  for (const role of [...roles.missing, ...roles.unusable]) {
    await client.query(membership(roles.owner, [role])).catch((error: unknown) => {
      // Another owner's role: the start reports whether it is needed.
      if (!(error instanceof pg.DatabaseError) || error.code !== INSUFFICIENT_PRIVILEGE) throw error;
    });
  }
  return created;
}

/**
 * Provides what a restore without the roles, or by another owner, has lost.
 * @returns the statements that were necessary
 */
export async function repairAccess(client: pg.Client): Promise<string[]> {
  const statements = [...(await missingPolicies(client)), ...grantStatements(await missingGrants(client))];
  for (const statement of statements) await client.query(statement);
  await ensureBackupPolicies(client);
  return statements;
}

/**
 * Checks a migrated database without changing it.
 * @param setsRole whether the service logs in as the owner and changes to its roles
 * @throws MissingAccessError
 */
export async function assertAccess(client: pg.Client, setsRole: boolean): Promise<void> {
  const roles = await inspectRoles(client);
  const { owner, missing, unusable } = roles;
  if (missing.length > 0) {
    if (!roles.canCreateRoles) throw missingRolesError(roles);
    throw new MissingAccessError(`The database lacks the ${namesOf(missing)}: run npm run migrate.`);
  }
  if (setsRole && unusable.length > 0) {
    const sql = membership(owner, unusable);
    throw new MissingAccessError(
      `The database role ${owner} may not use the ${namesOf(unusable)}. Run as a superuser: ${sql}`,
    );
  }
  const statements = [...(await missingPolicies(client)), ...grantStatements(await missingGrants(client))];
  if (statements.length === 0) return;
  const lost = `${statements.length} ${statements.length === 1 ? 'grant or policy' : 'grants or policies'}`;
  throw new MissingAccessError(
    `The roles of the service lack ${lost}: run npm run migrate, or as ${owner}: ${statements.join(' ').replaceAll(/\s+/g, ' ')}`,
  );
}
