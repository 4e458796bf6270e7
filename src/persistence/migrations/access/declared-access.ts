import { migrations } from '../steps/index.js';
import type pg from 'pg';

/** The roles that the first migration creates. */
export const serviceRoles = ['headwater_service', 'headwater_reader'] as const;

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
export const declaredPolicies: readonly DeclaredPolicy[] = [...sql.matchAll(policyForm)].map(
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

export function grantStatement({ role, kind, object, verbs, columns }: DeclaredGrant): string {
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
export async function ensureBackupPolicies(client: pg.Client): Promise<void> {
  for (const { name, owner } of await tablesWithoutBackupPolicy(client)) {
    await client.query(`DROP POLICY IF EXISTS backup ON ${name};
      CREATE POLICY backup ON ${name} FOR SELECT TO ${owner}
        USING ((SELECT current_setting('${BACKUP_SETTING}', true)) = 'on')`);
  }
}
