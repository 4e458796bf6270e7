/** From the weakest, which only other changes of the table wait for, to the strongest, which everything waits for. */
const modes = [
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const;

export type LockMode = (typeof modes)[number];

/** The lock that a statement takes on a table. */
export interface TableLock {
  readonly table: string;
  readonly mode: LockMode;
}

/** A quoted text or name, a function's body, or a comment: semicolons in them end no statement. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** The same length, without what is quoted. */
const blanked = (sql: string): string => sql.replaceAll(QUOTED, (part) => ' '.repeat(part.length));

/** The statements of a migration, in order. */
export function statementsOf(sql: string): readonly string[] {
  const bare = blanked(sql);
  const statements: string[] = [];
  let start = 0;
  for (let end = bare.indexOf(';'); end !== -1; end = bare.indexOf(';', start)) {
    statements.push(sql.slice(start, end).trim());
    start = end + 1;
  }
  return [...statements, sql.slice(start).trim()].filter((statement) => statement !== '');
}

const NAME = String.raw`(?:IF (?:NOT )?EXISTS )?(?:ONLY )?(?:public\.)?(\w+)`;

/** What a statement begins with, and the lock on the table that it names then. */
const forms: readonly (readonly [RegExp, LockMode])[] = [
  [new RegExp(`^ALTER TABLE ${NAME} VALIDATE CONSTRAINT`, 'i'), 'SHARE UPDATE EXCLUSIVE'],
  [new RegExp(`^ALTER TABLE ${NAME} ADD (?:CONSTRAINT \\w+ )?FOREIGN KEY`, 'i'), 'SHARE ROW EXCLUSIVE'],
  [new RegExp(`^(?:ALTER|DROP|TRUNCATE) TABLE ${NAME}`, 'i'), 'ACCESS EXCLUSIVE'],
  [
    new RegExp(`^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?\\w* ?ON ${NAME}`, 'i'),
    'SHARE UPDATE EXCLUSIVE',
  ],
  [new RegExp(`^CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?\\w* ?ON ${NAME}`, 'i'), 'SHARE'],
  [new RegExp(`^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER .*? ON ${NAME}`, 'i'), 'SHARE ROW EXCLUSIVE'],
  [
    new RegExp(`^(?:DROP (?:TRIGGER|POLICY)|CREATE POLICY|ALTER POLICY) .*?ON ${NAME}`, 'i'),
    'ACCESS EXCLUSIVE',
  ],
  [new RegExp(`^(?:UPDATE|INSERT INTO|DELETE FROM) ${NAME}`, 'i'), 'ROW EXCLUSIVE'],
];

const referenced = new RegExp(`REFERENCES ${NAME}`, 'gi');

/** Locks that the text of a statement tells; a function that it calls may take others. */
export function locksOf(statement: string): readonly TableLock[] {
  const bare = blanked(statement).replaceAll(/\s+/g, ' ').trim();
  const form = forms.find(([pattern]) => pattern.test(bare));
  const [, named] = form?.[0].exec(bare) ?? [];
  const own = form === undefined || named === undefined ? [] : [{ table: named, mode: form[1] }];
  const others = [...bare.matchAll(referenced)].flatMap(([, table = '']) =>
    table === named ? [] : [{ table, mode: 'SHARE ROW EXCLUSIVE' as const }],
  );
  return [...own, ...others];
}

/** The strongest lock on each table that the statements of a migration take. */
export function strongestLocks(sql: string): ReadonlyMap<string, LockMode> {
  const strongest = new Map<string, LockMode>();
  for (const { table, mode } of statementsOf(sql).flatMap(locksOf)) {
    const known = strongest.get(table);
    if (known === undefined || modes.indexOf(mode) > modes.indexOf(known)) strongest.set(table, mode);
  }
  return strongest;
}

/** `CREATE TABLE` takes the storage of a column since PostgreSQL 16; in older ones, it is changed afterwards. */
export function withStorageAfterwards(sql: string): string {
  const statements = statementsOf(sql).flatMap((statement) => {
    const [, table = ''] = /^CREATE TABLE (\w+)/.exec(statement) ?? [];
    if (table === '') return [statement];
    const column = /^( *(\w+) .*?) STORAGE (\w+)/gm;
    const changes = [...statement.matchAll(column)].map(
      ([, , name = '', storage = '']) => `ALTER TABLE ${table} ALTER COLUMN ${name} SET STORAGE ${storage}`,
    );
    return [statement.replaceAll(column, '$1'), ...changes];
  });
  return statements.map((statement) => `${statement};`).join('\n');
}

const tablesIn = (sql: string, pattern: RegExp): string[] =>
  statementsOf(sql).flatMap((statement) => pattern.exec(statement)?.[1] ?? []);

/** The table of each index that is built while writers wait. */
const indexedIn = (sql: string): string[] =>
  tablesIn(sql, /^CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY )(?:IF NOT EXISTS )?\w* ?ON (?:public\.)?(\w+)/i);

/** Tables that exist before a migration and for which it builds several indexes, while their writers wait. */
export function tablesWithSeveralIndexes(sql: string): readonly string[] {
  const made = new Set(tablesIn(sql, /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i));
  const indexed = indexedIn(sql);
  return [...new Set(indexed.filter((table, index) => !made.has(table) && indexed.indexOf(table) < index))];
}

/** Whether writers of the table wait for the lock. */
export const stopsWrites = (mode: LockMode): boolean => modes.indexOf(mode) >= modes.indexOf('SHARE');

const waiting: Readonly<Record<LockMode, string>> = {
  'ROW EXCLUSIVE': 'nothing waits but changes of the table',
  'SHARE UPDATE EXCLUSIVE': 'nothing waits but changes of the table',
  SHARE: 'writers wait',
  'SHARE ROW EXCLUSIVE': 'writers wait',
  'ACCESS EXCLUSIVE': 'readers and writers wait',
};

/** Of an index of a title, on two cores: 100,000 rows in 0.6 seconds. */
const INDEX_SECONDS_PER_ROW = 6e-6;

/** Unknown until a table is analyzed. What other statements take depends on more than the rows. */
function estimated(rows: number, indexes: number): string {
  if (rows < 0) return '';
  const size = `, estimated at ${Math.round(rows).toLocaleString('en')} rows`;
  if (indexes === 0) return size;
  const seconds = Math.max(0.1, indexes * rows * INDEX_SECONDS_PER_ROW).toFixed(1);
  return `${size} and ${seconds} seconds for ${indexes === 1 ? 'an index' : `${String(indexes)} indexes`}`;
}

/** Says in lines what migrations do. @param existing tables with estimated rows; locks on new ones hold up nothing */
export function describePlan(
  migrations: readonly { readonly name: string; readonly up: string }[],
  existing: ReadonlyMap<string, number>,
): string {
  const lines = migrations.flatMap(({ name, up }) => {
    const indexed = indexedIn(up);
    const said = [...strongestLocks(up)].flatMap(([table, mode]) => {
      const rows = existing.get(table);
      if (rows === undefined) return [];
      const indexes = indexed.filter((one) => one === table).length;
      return [`--   ${mode} on ${table}: ${waiting[mode]}${estimated(rows, indexes)}`];
    });
    const head = said.length === 0 ? ['--   no lock on a table that exists'] : said;
    return [
      `-- ${name}, one transaction, at whose end the locks are released`,
      ...head,
      ...statementsOf(up).map((statement) => `${statement.replaceAll(/\n\s*\n/g, '\n')};`),
      '',
    ];
  });
  return lines.join('\n').trimEnd();
}
