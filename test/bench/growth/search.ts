import process from 'node:process';
import pg from 'pg';
import { progressOn } from '../../../src/cli/progress.js';
import { systemScope } from '../../../src/persistence/work/unit-of-work.js';
import { EnvironmentListRepository } from '../../../src/features/environments/catalog/index.js';
import { SearchIndexer } from '../../../src/features/insight/search/index.js';
import type { Measure } from './measures.js';
import type { Stage } from './stage.js';

/** Indexes the seeded pages as `npm run reindex` does, and prints how far it is. */
export async function indexPages({ composition, query }: Stage): Promise<void> {
  const { units, search } = composition.services;
  const onError = (error: unknown): void => {
    throw error;
  };
  const indexer = new SearchIndexer({ units, onError, index: search.index, makesVectors: false });
  const request = { scope: systemScope({ command: 'growth' }), isReadOnly: true, lock: 'none' } as const;
  const heads = await units.run(request, (work) => work.use(EnvironmentListRepository).all());
  for (const head of heads) {
    const progress = progressOn(process.stderr);
    await indexer.rebuild(head, progress);
    progress.stop();
  }
  await query('VACUUM ANALYZE search_documents, search_words');
}

/** A number that few pages have, another one each round. */
const rare = ({ count }: Stage, round: number): number => count - 1 - ((round * 37) % (count / 2));

type Words = (stage: Stage, round: number) => string;

const ask = (stage: Stage, words: string): Promise<unknown> =>
  stage.call('GET', `{main}/search?q=${encodeURIComponent(words)}&facets=contentType,locale,status`);

/** What {@link ask} finds and returns, without tolerance, phrases, rights and other filters. */
const handWritten = `
  WITH found AS MATERIALIZED (
    SELECT e.id, l.locale, l.status, l.title, l.slug, e.content_type_id, e.updated_at, ts_rank(d.vector, $2::tsquery) AS score
    FROM search_documents d JOIN entries e ON e.environment_id = $1 AND e.id = d.entry_id
      JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = e.id AND l.locale = d.locale
    WHERE d.environment_id = $1 AND d.stage = 'draft' AND d.vector @@ $2::tsquery AND e.deleted_at IS NULL)
  SELECT (SELECT count(*)::int FROM found) AS total,
    (SELECT jsonb_agg(to_jsonb(f) ORDER BY score DESC) FROM (SELECT * FROM found ORDER BY score DESC, updated_at DESC LIMIT 25) AS f) AS hits,
    (SELECT jsonb_object_agg(content_type_id, n) FROM (SELECT content_type_id, count(*) AS n FROM found GROUP BY 1) AS c) AS types,
    (SELECT jsonb_object_agg(locale, n) FROM (SELECT locale, count(*) AS n FROM found GROUP BY 1) AS c) AS locales,
    (SELECT jsonb_object_agg(status, n) FROM (SELECT status, count(*) AS n FROM found GROUP BY 1) AS c) AS statuses`;

/** A search, and its SQL. Before the first round both must find as much. */
function pair(name: string, words: Words, query: Words): readonly Measure[] {
  const bySql = (stage: Stage, round: number): Promise<readonly object[]> =>
    stage.query(handWritten, [stage.place.environmentId, query(stage, round)]);
  const compare = async (stage: Stage, round: number): Promise<string> => {
    if (round > 0) return '';
    const { meta } = (await ask(stage, words(stage, round))) as { meta: { total: number } };
    const [found] = (await bySql(stage, round)) as readonly { total: number }[];
    if (meta.total === 0 || meta.total !== found?.total)
      throw new Error(`${name}: ${String(meta.total)} found, ${String(found?.total)} by SQL`);
    return '';
  };
  return [
    { name, run: (stage, round) => ask(stage, words(stage, round)) },
    { name: `${name}, SQL`, prepare: compare, run: bySql },
  ];
}

interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

let recorded: Statement[] | undefined;
const { query } = pg.Client.prototype;
/** Connections keep the method that they find when they open. */
pg.Client.prototype.query = function (this: pg.Client, ...given: [Statement | string, ...unknown[]]) {
  const [sent] = given;
  if (typeof sent === 'object') recorded?.push(sent);
  return Reflect.apply(query, this, given) as unknown;
} as typeof query;

/** Statements that a request runs on content and its index, without those of its key and transaction. */
async function recordStatements(send: () => Promise<unknown>): Promise<Statement[]> {
  const all: Statement[] = [];
  recorded = all;
  try {
    await send();
  } finally {
    recorded = undefined;
  }
  const statements = all.filter(({ text }) => /search_(?:documents|words)|entry_locales/.test(text));
  if (statements.length === 0) throw new Error('the request ran no statement');
  return statements;
}

/** A suggestion, and the statements that it runs, one after the other. */
function suggestion(name: string, words: Words): readonly Measure[] {
  const send = (stage: Stage, round: number): Promise<unknown> =>
    stage.call('GET', `{main}/search/suggest?q=${encodeURIComponent(words(stage, round))}`);
  let statements: readonly Statement[] = [];
  const record = async (stage: Stage, round: number): Promise<string> => {
    statements = await recordStatements(() => send(stage, round));
    return '';
  };
  const bySql = async (stage: Stage): Promise<void> => {
    for (const { text, values = [] } of statements) await stage.query(text, values);
  };
  return [
    { name: `suggest: ${name}`, run: send },
    { name: `suggest: ${name}, SQL`, prepare: record, run: bySql },
  ];
}

const number = (stage: Stage, round: number): string => String(rare(stage, round));

/** A word that is followed by a space is finished: others are the beginning of a word. */
export const searchMeasures: readonly Measure[] = [
  ...pair(
    'one rare word',
    (stage, round) => `${number(stage, round)} `,
    (stage, round) => `'${number(stage, round)}'`,
  ),
  ...pair(
    'a rare and a common word',
    (stage, round) => `page ${number(stage, round)} `,
    (stage, round) => `'page' & '${number(stage, round)}'`,
  ),
  { name: 'an unfinished word', run: (stage, round) => ask(stage, `code-${number(stage, round)}`) },
  { name: 'a word of every page', run: (stage, round) => ask(stage, ['page ', 'fox '][round % 2] ?? '') },
  { name: 'the beginning of such a word', run: (stage) => ask(stage, 'pag') },
  ...suggestion('first letters', (_, round) => ['pa', 'qui', 'aut'][round % 3] ?? ''),
  ...suggestion('a second word', (_, round) => ['page ju', 'lazy do', 'the quick br'][round % 3] ?? ''),
  ...suggestion('a rare title', (stage, round) => `page ${number(stage, round)}`),
  ...suggestion('a misspelt word', (_, round) => ['quikc fo', 'jumsp ov'][round % 2] ?? ''),
  { name: 'a misspelt word', run: (stage, round) => ask(stage, `autor ${String(1 + (round % 10))} `) },
];
