import {
  EngineFailure,
  type EngineRequest,
  type SearchEngine,
} from '../../../../infrastructure/search/search-engine.js';

/** Format version, raised when documents or their mapping change: indexes of another version are rebuilt. */
export const FORM = 4;

/** Results that a page can begin behind. */
export const RESULT_WINDOW = 100_000;
/** Values of one condition. */
export const MOST_TERMS = 65_536;

const keyword = { type: 'keyword' };
const time = { type: 'long' };

/** Words are divided by spaces, and forms of one word by bars. */
const words = { type: 'text', analyzer: 'forms', search_analyzer: 'whitespace', similarity: 'words' };
const searched = { ...words, copy_to: 'all' };

const valueTypes = {
  s: 'keyword',
  c: 'keyword',
  l: 'keyword',
  r: 'keyword',
  f: 'keyword',
  n: 'double',
  t: 'double',
  b: 'boolean',
};

const properties = {
  entryId: keyword,
  locale: keyword,
  siblings: keyword,
  stage: keyword,
  contentTypeId: keyword,
  siteId: keyword,
  status: keyword,
  workflowState: keyword,
  assigneeId: keyword,
  createdBy: keyword,
  updatedBy: keyword,
  createdAt: time,
  updatedAt: time,
  publishedAt: time,
  slug: keyword,
  title: keyword,
  titleSort: keyword,
  a: searched,
  b: searched,
  c: searched,
  d: searched,
  all: words,
  present: keyword,
  boosted: { type: 'keyword', doc_values: false },
  values: { type: 'object', dynamic: true },
};

/**
 * Of every index. The service divides and stems text, so that all languages share fields and no analysis of the engine
 * is needed. Content is read from the database, so that documents are not kept.
 */
const indexBody = {
  settings: {
    number_of_shards: 1,
    auto_expand_replicas: '0-1',
    max_result_window: RESULT_WINDOW,
    max_terms_count: MOST_TERMS,
    // Longer than any write waits: late ones must not bring back what was deleted.
    gc_deletes: '1h',
    'mapping.total_fields.limit': 20_000,
    analysis: {
      analyzer: { forms: { type: 'custom', tokenizer: 'whitespace', filter: ['forms'] } },
      filter: { forms: { type: 'pattern_capture', preserve_original: false, patterns: ['([^|]+)'] } },
    },
    similarity: { words: { type: 'BM25', b: 0.3 } },
  },
  mappings: {
    _meta: { form: FORM },
    _source: { enabled: false },
    dynamic: 'strict',
    date_detection: false,
    dynamic_templates: Object.entries(valueTypes).map(([form, type]) => ({
      [form]: { path_match: `values.${form}_*`, mapping: { type } },
    })),
    properties,
  },
};

const ID = /^[0-9a-f-]{36}$/;

interface IndexRow {
  readonly aliases?: Readonly<Record<string, unknown>>;
  readonly mappings?: { readonly _meta?: { readonly form?: unknown } };
}

/**
 * The indexes of environments. Each has an alias that is searched and, while a new index is filled, another one for
 * that. No other index has a name that begins with the alias.
 */
export class EngineIndexes {
  constructor(
    private readonly engine: SearchEngine,
    private readonly prefix: string,
  ) {}

  alias(environmentId: string): string {
    if (!ID.test(environmentId)) throw new Error('an environment has no such id');
    return `${this.prefix}-${environmentId}`;
  }

  /** Of the index that a rebuild fills. */
  next(environmentId: string, rebuildId: string): string {
    return `${this.alias(environmentId)}-next-${rebuildId}`;
  }

  /** Makes an empty index that is to be filled, instead of those that were begun before. */
  async prepare(environmentId: string, rebuildId: string): Promise<void> {
    const alias = this.alias(environmentId);
    const index = `${alias}-${rebuildId}`;
    await this.#send({ method: 'PUT', path: `/${index}`, body: indexBody });
    const rows = [...(await this.#rows(alias))];
    const begun = rows.filter(([name, row]) => name !== index && name !== alias && !isServing(row, alias));
    await this.#change([
      ...begun.map(([name]) => ({ remove_index: { index: name } })),
      { add: { index, alias: this.next(environmentId, rebuildId) } },
    ]);
  }

  /**
   * From now on the index that was filled is searched, and all others are gone. May be repeated.
   * @throws EngineFailure `missing` if there is no such index
   */
  async swap(environmentId: string, rebuildId: string): Promise<void> {
    const alias = this.alias(environmentId);
    const next = this.next(environmentId, rebuildId);
    const filled = `${alias}-${rebuildId}`;
    const rows = await this.#rows(alias);
    const row = rows.get(filled);
    if (row === undefined) throw new EngineFailure('missing', 'no_new_index');
    if (isServing(row, alias)) return;
    await this.#send({ method: 'POST', path: `/${filled}/_refresh` });
    await this.#change([
      ...[...rows.keys()].filter((name) => name !== filled).map((index) => removal(index, alias)),
      { add: { index: filled, alias } },
      { remove: { index: filled, alias: next, must_exist: false } },
    ]);
  }

  /** Whether what is searched was made by this service, in this form. */
  async isOurs(environmentId: string): Promise<boolean> {
    const alias = this.alias(environmentId);
    const rows = await this.#rows(alias);
    return [...rows.values()].some((row) => isServing(row, alias) && row.mappings?._meta?.form === FORM);
  }

  async drop(environmentId: string): Promise<void> {
    const rows = await this.#rows(this.alias(environmentId));
    if (rows.size > 0) await this.#change([...rows.keys()].map((index) => ({ remove_index: { index } })));
  }

  async #rows(alias: string): Promise<ReadonlyMap<string, IndexRow>> {
    const filter = 'filter_path=*.aliases,*.mappings._meta&expand_wildcards=all';
    const found = await this.#send({ method: 'GET', path: `/${alias}*?${filter}` });
    return new Map(Object.entries(found as Record<string, IndexRow>));
  }

  /** A refusal is no fault of a document: the engine has too many indexes, for instance. */
  async #send(request: EngineRequest): Promise<unknown> {
    try {
      return await this.engine.send(request);
    } catch (error) {
      if (error instanceof EngineFailure && error.kind === 'refused')
        throw new EngineFailure('unavailable', error.reason, error);
      throw error;
    }
  }

  async #change(actions: readonly object[]): Promise<void> {
    await this.#send({ method: 'POST', path: '/_aliases', body: { actions } });
  }
}

/** An index of others that someone gave the alias loses only that. */
const removal = (index: string, alias: string): object =>
  index.startsWith(alias) ? { remove_index: { index } } : { remove: { index, alias } };

const isServing = ({ aliases = {} }: IndexRow, alias: string): boolean => alias in aliases;
