import type pg from 'pg';
import {
  declaredGrants,
  declaredPolicies,
  grantStatement,
  serviceRoles,
  type DeclaredGrant,
} from './declared-access.js';

interface RoleState {
  readonly name: string;
  readonly exists: boolean;
  /** Whether the owner may SET ROLE to it. */
  readonly isUsable: boolean;
}

export interface Roles {
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

export async function inspectRoles(client: pg.Client): Promise<Roles> {
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

export const createRoleStatement = (role: string): string =>
  `CREATE ROLE ${role} NOLOGIN NOSUPERUSER NOBYPASSRLS;`;

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
export async function missingGrants(client: pg.Client): Promise<DeclaredGrant[]> {
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
export async function missingPolicies(client: pg.Client): Promise<string[]> {
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

export const grantStatements = (grants: readonly DeclaredGrant[]): string[] => grants.map(grantStatement);
