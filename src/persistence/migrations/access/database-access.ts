import pg from 'pg';
import { migrations } from '../steps/index.js';

/** The roles that the first migration creates. */
const serviceRoles = ['headwater_service', 'headwater_reader'] as const;

/** What a migration grants to a role, as columns of a check. */
export interface DeclaredGrant {
  readonly role: string;
  /** `ALL TABLES` and `ALL SEQUENCES` are those of a schema. */
  readonly kind: 'TABLE' | 'SEQUENCE' | 'FUNCTION' | 'SCHEMA' | 'ALL TABLES' | 'ALL SEQUENCES';
  readonly object: string;
  readonly verbs: string;
  /** Empty: the whole object. */
  readonly columns: string;
}

interface DeclaredPolicy {
  readonly name: string;
  readonly table: string;
  /** `CURRENT_USER` is the owner. */
  readonly role: string;
  readonly statement: string;
}

const sql = migrations.map(({ up }) => up).join('\n');

const grantForm =
  /(?<!IN SCHEMA \w+ )GRANT ([A-Z, ]+?)(?: \(([\w, ]+)\))?\s+ON (?:(SEQUENCE|FUNCTION|SCHEMA) )?([\w.(), ]+?)\s+TO (headwater_\w+);/g;
const defaultForm = /IN SCHEMA (\w+) GRANT ([A-Z, ]+) ON (TABLES|SEQUENCES) TO (headwater_\w+);/g;
const policyForm = /CREATE POLICY (\w+) ON (\w+)\s[^;]*?\bTO (\w+)[^;]*;/g;

/** Commas between objects, not between the arguments of a function. */
const separator = /,\s*(?![^()]*\))/;

/** Every grant to a role of the service in the migrations; those of job tables are default privileges. */
export const declaredGrants: readonly DeclaredGrant[] = [
  ...[...sql.matchAll(grantForm)].flatMap(
    ([, verbs = '', columns = '', kind = 'TABLE', objects = '', role = '']) =>
      objects
        .split(separator)
        .map((object) => ({ role, kind: kind as DeclaredGrant['kind'], object, verbs, columns })),
  ),
  ...[...sql.matchAll(defaultForm)].map(
    ([, object = '', verbs = '', kind = '', role = '']): DeclaredGrant => ({
      role,
      kind: `ALL ${kind}` as DeclaredGrant['kind'],
      object,
      verbs,
      columns: '',
    }),
  ),
];

/** Policies of one role. A restore without that role, or by another owner, loses them. */
const declaredPolicies: readonly DeclaredPolicy[] = [...sql.matchAll(policyForm)].map(
  ([statement, name = '', table = '', role = '']) => ({ name, table, role, statement }),
);

const prefixes: Readonly<Record<DeclaredGrant['kind'], string>> = {
  TABLE: '',
  SEQUENCE: 'SEQUENCE ',
  FUNCTION: 'FUNCTION ',
  SCHEMA: 'SCHEMA ',
  'ALL TABLES': 'ALL TABLES IN SCHEMA ',
  'ALL SEQUENCES': 'ALL SEQUENCES IN SCHEMA ',
};

function grantStatement({ role, kind, object, verbs, columns }: DeclaredGrant): string {
  const limited = columns === '' ? verbs : `${verbs} (${columns})`;
  const grant = `GRANT ${limited} ON ${prefixes[kind]}${object} TO ${role};`;
  if (!kind.startsWith('ALL ')) return grant;
  const later = `ALTER DEFAULT PRIVILEGES IN SCHEMA ${object} GRANT ${verbs} ON ${kind.slice(4)} TO ${role};`;
  return `${grant} ${later}`;
}

/** Set to `on`, it shows the owner the rows of every tenant, for dumps. Other roles have no policy for it. */
export const BACKUP_SETTING = 'headwater.backup';

/** Tables whose rows their owner could not dump. */
const unreadableTables = `
  SELECT format('%I', tablename) AS name, format('%I', tableowner) AS owner FROM pg_tables t
  WHERE schemaname = 'public' AND rowsecurity AND NOT EXISTS (
    SELECT FROM pg_policies p WHERE p.schemaname = 'public' AND p.tablename = t.tablename
      AND p.policyname = 'backup' AND p.roles = ARRAY[t.tableowner])
  ORDER BY 1`;

interface UnreadableTable {
  readonly name: string;
  readonly owner: string;
}

export async function tablesWithoutBackupPolicy(client: pg.Client): Promise<UnreadableTable[]> {
  return (await client.query<UnreadableTable>(unreadableTables)).rows;
}

/** For every table with row-level security, those of later migrations included. */
async function ensureBackupPolicies(client: pg.Client): Promise<void> {
  for (const { name, owner } of await tablesWithoutBackupPolicy(client)) {
    await client.query(`DROP POLICY IF EXISTS backup ON ${name};
      CREATE POLICY backup ON ${name} FOR SELECT TO ${owner}
        USING ((SELECT current_setting('${BACKUP_SETTING}', true)) = 'on')`);
  }
}

interface RoleState {
  readonly name: string;
  readonly exists: boolean;
  /** Whether the owner may SET ROLE to it. */
  readonly isUsable: boolean;
}

interface Roles {
  readonly owner: string;
  readonly canCreateRoles: boolean;
  readonly missing: readonly string[];
  readonly unusable: readonly string[];
}

/** Before PostgreSQL 16, membership implies SET ROLE. */
const rolesQuery = (version: number): string => `
  SELECT name, r.oid IS NOT NULL AS exists,
    coalesce(pg_has_role(current_user, r.oid, '${version >= 160_000 ? 'SET' : 'MEMBER'}'), false) AS "isUsable"
  FROM unnest($1::text[]) AS name LEFT JOIN pg_roles r ON r.rolname = name`;

async function inspectRoles(client: pg.Client): Promise<Roles> {
  const { rows: facts } = await client.query<{ owner: string; canCreateRoles: boolean; version: number }>(
    `SELECT quote_ident(current_user) AS owner, rolsuper OR rolcreaterole AS "canCreateRoles",
       current_setting('server_version_num')::int AS version
     FROM pg_roles WHERE rolname = current_user`,
  );
  const { owner = '', canCreateRoles = false, version = 0 } = facts[0] ?? {};
  const { rows } = await client.query<RoleState>(rolesQuery(version), [[...serviceRoles]]);
  return {
    owner,
    canCreateRoles,
    missing: rows.filter((role) => !role.exists).map(({ name }) => name),
    unusable: rows.filter((role) => role.exists && !role.isUsable).map(({ name }) => name),
  };
}

const createRoleStatement = (role: string): string => `CREATE ROLE ${role} NOLOGIN NOSUPERUSER NOBYPASSRLS;`;

/** Verbs of one grant are all required; objects that later migrations dropped are ignored. */
const missingGrantsQuery = `
  SELECT g.ordinality::int - 1 AS place
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
    WITH ORDINALITY AS g (role, kind, object, verbs, columns)
  WHERE EXISTS (SELECT FROM unnest(string_to_array(verbs, ', ')) AS verb WHERE NOT coalesce(CASE
    WHEN kind = 'TABLE' AND columns = '' THEN has_table_privilege(role, to_regclass(object), verb)
    WHEN kind = 'TABLE' THEN (SELECT bool_and(has_column_privilege(role, to_regclass(object), name, verb))
      FROM unnest(string_to_array(columns, ', ')) AS name WHERE to_regclass(object) IS NOT NULL)
    WHEN kind = 'SEQUENCE' THEN has_sequence_privilege(role, to_regclass(object), verb)
    WHEN kind = 'FUNCTION' THEN has_function_privilege(role,
      CASE WHEN object LIKE '%(%' THEN to_regprocedure(object)::oid ELSE to_regproc(object)::oid END, verb)
    WHEN kind = 'SCHEMA' THEN has_schema_privilege(role, to_regnamespace(object), verb)
    ELSE (SELECT bool_and(CASE WHEN relkind = 'S' THEN has_sequence_privilege(role, c.oid, verb)
        ELSE has_table_privilege(role, c.oid, verb) END)
      FROM pg_class c WHERE c.relnamespace = to_regnamespace(object)
        AND (relkind = 'S') = (kind = 'ALL SEQUENCES') AND relkind IN ('r', 'p', 'S')) END, true))`;

/** Requires the roles to exist. */
async function missingGrants(client: pg.Client): Promise<DeclaredGrant[]> {
  const column = (key: keyof DeclaredGrant) => declaredGrants.map((grant) => grant[key]);
  const { rows } = await client.query<{ place: number }>(missingGrantsQuery, [
    column('role'),
    column('kind'),
    column('object'),
    column('verbs'),
    column('columns'),
  ]);
  return rows.flatMap(({ place }) => declaredGrants[place] ?? []);
}

/** Policies of the migrations that do not exist for their role; `CURRENT_USER` in them is the owner of the table. */
async function missingPolicies(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; owner: string; name: string | null; roles: string[] }>(
    `SELECT t.tablename AS table, t.tableowner AS owner, policyname AS name, roles::text[]
     FROM pg_tables t LEFT JOIN pg_policies p USING (schemaname, tablename) WHERE schemaname = 'public'`,
  );
  return declaredPolicies.flatMap(({ name, table, role, statement }) => {
    const ofTable = rows.filter((row) => row.table === table);
    const [{ owner } = { owner: '' }] = ofTable;
    const wanted = role === 'CURRENT_USER' ? owner : role;
    const isThere = ofTable.some((row) => row.name === name && row.roles.includes(wanted));
    if (isThere || ofTable.length === 0) return [];
    const forOwner = statement.replace('TO CURRENT_USER', `TO ${client.escapeIdentifier(owner)}`);
    return [`DROP POLICY IF EXISTS ${name} ON ${table}; ${forOwner}`];
  });
}

const grantStatements = (grants: readonly DeclaredGrant[]): string[] => grants.map(grantStatement);

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
