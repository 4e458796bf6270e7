/** `up` and `down` each run in one transaction. */
export interface Migration {
  readonly name: string;
  readonly up: string;
  readonly down: string;
}

/**
 * Forced row-level security by the setting `headwater.tenant_id`, which the unit of work sets. Without it no row is
 * visible.
 */
export const tenantWall = (table: string, column = 'tenant_id', orElse = ''): string => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant_wall ON ${table} FOR ALL
    USING (${column} = (SELECT current_tenant_id()) ${orElse})
    WITH CHECK (${column} = (SELECT current_tenant_id()) ${orElse});`;

/** Grants the service role these verbs and no others. */
export const grant = (verbs: string, tables: string): string =>
  `GRANT ${verbs} ON ${tables} TO headwater_service;`;

export const verbs = ['INSERT', 'UPDATE', 'DELETE'] as const;
export type Verb = (typeof verbs)[number];

/** What a trigger keeps of the rows of an environment goes with the environment, by other statements. */
export const unlessDeleting = "WHEN (current_setting('headwater.deleting', true) IS DISTINCT FROM 'on') ";

const transitions: Readonly<Record<Verb, string>> = {
  INSERT: 'NEW TABLE AS added',
  UPDATE: 'OLD TABLE AS removed NEW TABLE AS added',
  DELETE: 'OLD TABLE AS removed',
};

interface StatementTrigger {
  readonly verb: Verb;
  readonly table: string;
  readonly name: string;
  /** The function, by default of the same name. */
  readonly called?: string;
}

/** A trigger that runs after each statement, and sees its rows as `added` and `removed`. */
export const afterStatement = ({ verb, table, name, called = name }: StatementTrigger): string => `
    CREATE TRIGGER ${name} AFTER ${verb} ON ${table} REFERENCING ${transitions[verb]}
      FOR EACH STATEMENT ${verb === 'DELETE' ? unlessDeleting : ''}EXECUTE FUNCTION ${called}();`;

/** A trigger function with the rights of the owner. @param body its statements */
export const ownersFunction = (name: string, body: string): string => `
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN${body}
      RETURN NULL;
    END $$;`;

/** What a statement of a verb adds to counts and takes from them. @param rowsOf SQL of the rows of a source, with a `step` */
export const steps = (
  verb: Verb,
  rowsOf: (source: 'added' | 'removed', step: '1' | '-1') => string,
): string =>
  [
    ...(verb === 'DELETE' ? [] : [rowsOf('added', '1')]),
    ...(verb === 'INSERT' ? [] : [rowsOf('removed', '-1')]),
  ].join(' UNION ALL ');

/** Returns at once for a statement without rows. */
export const unlessEmpty = (verb: Verb): string => `
      IF NOT EXISTS (SELECT FROM ${verb === 'DELETE' ? 'removed' : 'added'}) THEN RETURN NULL; END IF;`;

/** The one of 16 slots that counts an entry, or the one that the transaction has chosen for all its counts. */
export const countSlot =
  "coalesce(nullif(current_setting('headwater.count_slot', true), '')::int, get_byte(uuid_send(entry_id), 15) & 15)";

/** Triggers that raise the revision of the environments whose rows change. @param column of the table, and of their heads */
export const bumpRevision = (table: string, column: 'tenant_id' | 'project_id' | 'environment_id'): string =>
  verbs
    .map(
      (verb) => `
    CREATE TRIGGER bump_revision_${verb.toLowerCase()} AFTER ${verb} ON ${table}
      REFERENCING ${verb === 'DELETE' ? 'OLD' : 'NEW'} TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION bump_revision_by_${column}();`,
    )
    .join('');
