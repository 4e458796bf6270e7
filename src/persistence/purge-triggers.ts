type Verb = 'INSERT' | 'UPDATE' | 'DELETE';
const verbs: readonly Verb[] = ['INSERT', 'UPDATE', 'DELETE'];

/** Above this many changed rows per statement the coarse tags are purged. */
const MANY_ROWS = 500;

export interface TablePurge {
  readonly table: string;
  /** SQL of one column `tag` over the rows `changed`. */
  readonly tags: string;
  /** The same for statements that change many rows. */
  readonly coarse: string;
  /** SQL of the relevant rows of an update, over `removed` and `added`. Unset: all. */
  readonly updated?: string;
}

/** SQL of several tags for each changed row `r`. */
export const eachRow = (...tags: string[]): string =>
  `SELECT t.tag FROM changed r CROSS JOIN LATERAL (VALUES ${tags.map((tag) => `(${tag})`).join(', ')}) AS t (tag)`;

const transitions: Readonly<Record<Verb, string>> = {
  INSERT: 'NEW TABLE AS added',
  UPDATE: 'OLD TABLE AS removed NEW TABLE AS added',
  DELETE: 'OLD TABLE AS removed',
};

const nameOf = (table: string, verb: Verb): string => `purge_${table}_${verb.toLowerCase()}`;

function rowsOf({ updated }: TablePurge, verb: Verb): string {
  if (verb === 'INSERT') return 'SELECT * FROM added';
  if (verb === 'DELETE') return 'SELECT * FROM removed';
  return updated ?? 'SELECT * FROM added UNION ALL SELECT * FROM removed';
}

/** @param ignored condition over `removed` and `added` under which a statement purges nothing */
function functionSql(purge: TablePurge, verb: Verb, ignored?: string): string {
  const { table, tags, coarse } = purge;
  const rows = rowsOf(purge, verb);
  return `FUNCTION ${nameOf(table, verb)}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE rows_changed bigint := (SELECT count(*) FROM (${rows}) AS r);
    BEGIN
      IF rows_changed = 0${ignored === undefined ? '' : ` OR (${ignored})`} THEN RETURN NULL; END IF;
      IF rows_changed <= ${MANY_ROWS} THEN
        PERFORM note_purge(ARRAY(WITH changed AS (${rows}) SELECT DISTINCT tag FROM (${tags}) AS u));
      ELSE
        PERFORM note_purge(ARRAY(WITH changed AS (${rows}) SELECT DISTINCT tag FROM (${coarse}) AS u));
      END IF;
      RETURN NULL;
    END $$;`;
}

const triggerSql = ({ table }: TablePurge, verb: Verb): string =>
  `TRIGGER ${nameOf(table, verb)} AFTER ${verb} ON ${table} REFERENCING ${transitions[verb]}
      FOR EACH STATEMENT EXECUTE FUNCTION ${nameOf(table, verb)}();`;

const trigger = (purge: TablePurge, verb: Verb): string => `
    CREATE ${functionSql(purge, verb)}
    CREATE ${triggerSql(purge, verb)}`;

/** SQL that replaces one of these triggers. @param ignored as in `functionSql` */
export const replacePurge = (purge: TablePurge, verb: Verb, ignored?: string): string => `
    CREATE OR REPLACE ${functionSql(purge, verb, ignored)}
    CREATE OR REPLACE ${triggerSql(purge, verb)}`;

/** SQL of the triggers by which changes of a table purge tags. */
export const attachPurge = (purge: TablePurge): string => verbs.map((verb) => trigger(purge, verb)).join('');

/** SQL that undoes {@link attachPurge}. */
export const detachPurge = ({ table }: TablePurge): string =>
  verbs
    .map((verb) => `DROP TRIGGER ${nameOf(table, verb)} ON ${table}; DROP FUNCTION ${nameOf(table, verb)}();`)
    .join(' ');
