/** Format version, raised when documents or their mapping change: indexes of another version are rebuilt. */
export const FORM = 1;

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
  words: { type: 'text', analyzer: 'whitespace', index_options: 'docs', norms: false },
  present: keyword,
  values: { type: 'object', dynamic: true },
};

/**
 * Of every index. The service divides and stems text, so that all languages share fields and no analysis of the engine
 * is needed. Content is read from the database, so that documents are not kept.
 */
export const indexBody = {
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
