import { z } from 'zod';
import { definePart, oneOf, webUrl, wholeNumber } from './setting.js';

const HEADER_TEXT = /^[\x21-\x7e]+$/;

const urlWithoutCredentials = (otherwise: string) =>
  webUrl().refine((value) => URL.parse(value)?.username === '' && URL.parse(value)?.password === '', {
    error: `must have no credentials: use ${otherwise}`,
  });

const withoutFinalSlash = (url: string): string => url.replace(/\/+$/, '');

export const search = definePart({
  settings: {
    SEARCH_PROVIDER: oneOf(['database', 'opensearch'])
      .default('database')
      .describe('Where content is searched. After a change, run `npm run reindex`.'),
    OPENSEARCH_URL: urlWithoutCredentials('OPENSEARCH_USERNAME and OPENSEARCH_PASSWORD')
      .optional()
      .describe('URL of OpenSearch 2 or 3.'),
    OPENSEARCH_USERNAME: z
      .string()
      .refine((value) => HEADER_TEXT.test(value) && !value.includes(':'), {
        error: 'must have no spaces, colons or control characters',
      })
      .optional()
      .describe('User that OpenSearch requires.'),
    OPENSEARCH_PASSWORD: z
      .string()
      .refine((value) => HEADER_TEXT.test(value), { error: 'must have no spaces or control characters' })
      .optional()
      .describe('Password of the user.'),
    OPENSEARCH_INDEX_PREFIX: z
      .string()
      .regex(/^[a-z][a-z0-9]{0,30}$/, { error: 'must be small letters and digits' })
      .default('headwater')
      .describe(
        'Begins the names of all indexes. Indexes that begin with it and the id of an environment are changed.',
      ),
    OPENSEARCH_TIMEOUT_SECONDS: wholeNumber(1, 8)
      .default(5)
      .describe('Seconds that a request to OpenSearch may take.'),
    EMBEDDING_URL: urlWithoutCredentials('EMBEDDING_KEY')
      .optional()
      .describe(
        'URL of a server with the embeddings API of OpenAI, without `/embeddings`. Unset: no search by meaning.',
      ),
    EMBEDDING_MODEL: z
      .string()
      .max(200)
      .optional()
      .describe('Model that makes the vectors. A change rebuilds all vectors.'),
    EMBEDDING_KEY: z
      .string()
      .refine((value) => HEADER_TEXT.test(value), { error: 'must have no spaces or control characters' })
      .optional()
      .describe('Bearer token that the embedding server requires.'),
    EMBEDDING_TIMEOUT_SECONDS: wholeNumber(1, 60)
      .default(10)
      .describe('Seconds that a request to the embedding server may take.'),
  },
  slice: (read) => ({
    /** Undefined: the database. */
    openSearch:
      read.SEARCH_PROVIDER === 'opensearch'
        ? {
            url: withoutFinalSlash(read.OPENSEARCH_URL ?? ''),
            username: read.OPENSEARCH_USERNAME,
            password: read.OPENSEARCH_PASSWORD,
            prefix: read.OPENSEARCH_INDEX_PREFIX,
            timeoutMilliseconds: read.OPENSEARCH_TIMEOUT_SECONDS * 1000,
          }
        : undefined,
    /** Undefined: no search by meaning. */
    embedding:
      read.EMBEDDING_URL === undefined || read.EMBEDDING_MODEL === undefined
        ? undefined
        : {
            url: withoutFinalSlash(read.EMBEDDING_URL),
            model: read.EMBEDDING_MODEL,
            key: read.EMBEDDING_KEY,
            timeoutMilliseconds: read.EMBEDDING_TIMEOUT_SECONDS * 1000,
          },
  }),
  problems: (read) => {
    const problems: string[] = [];
    if (read.SEARCH_PROVIDER === 'opensearch' && read.OPENSEARCH_URL === undefined)
      problems.push('OPENSEARCH_URL must be set with SEARCH_PROVIDER=opensearch');
    if (read.OPENSEARCH_PASSWORD !== undefined && read.OPENSEARCH_USERNAME === undefined)
      problems.push('OPENSEARCH_PASSWORD can only be used together with OPENSEARCH_USERNAME');
    if ((read.EMBEDDING_URL === undefined) !== (read.EMBEDDING_MODEL === undefined))
      problems.push('EMBEDDING_URL and EMBEDDING_MODEL must be set together');
    if (read.EMBEDDING_KEY !== undefined && read.EMBEDDING_URL === undefined)
      problems.push('EMBEDDING_KEY can only be used together with EMBEDDING_URL');
    return problems;
  },
});
