import { definePart, flag, url, wholeNumber } from './setting.js';

export const queries = definePart({
  settings: {
    MAX_QUERY_DEPTH: wholeNumber(1, 50).default(10).describe('Maximum nesting of a GraphQL query.'),
    MAX_COMPLEXITY: wholeNumber(1, 100_000).default(1000).describe('Maximum complexity of a GraphQL query.'),
    MAX_REFERENCE_DEPTH: wholeNumber(0, 10)
      .default(3)
      .describe('Maximum depth to which references are expanded.'),
  },
  slice: (read) => ({
    maxQueryDepth: read.MAX_QUERY_DEPTH,
    maxComplexity: read.MAX_COMPLEXITY,
    maxReferenceDepth: read.MAX_REFERENCE_DEPTH,
  }),
});

const requestsPerMinute = (usual: number, caller: string) =>
  wholeNumber(0, 600_000).default(usual).describe(`Requests per minute of ${caller}; 0: no limit.`);

export const rates = definePart({
  settings: {
    RATE_LIMITS: flag().default(true).describe('0 disables all rate limits.'),
    RATE_LIMIT_DELIVERY: requestsPerMinute(6000, 'a delivery key'),
    RATE_LIMIT_PREVIEW: requestsPerMinute(1200, 'a preview key'),
    RATE_LIMIT_MANAGEMENT: requestsPerMinute(600, 'a management key'),
    RATE_LIMIT_SESSION: requestsPerMinute(600, 'a user'),
    RATE_LIMIT_ANONYMOUS: requestsPerMinute(3000, 'an address without a credential'),
    RATE_LIMIT_LOGIN: wholeNumber(0, 600_000)
      .default(10)
      .describe('Logins per minute of an address; 0: no limit.'),
    REDIS_URL: url('redis:', 'rediss:')
      .optional()
      .describe('Redis that counts requests. Unset: the database counts them.'),
  },
  slice: (read) => ({
    /** Requests per minute by caller, 0 for no limit; undefined when nothing is limited. */
    rateDefaults: read.RATE_LIMITS
      ? {
          delivery: read.RATE_LIMIT_DELIVERY,
          preview: read.RATE_LIMIT_PREVIEW,
          management: read.RATE_LIMIT_MANAGEMENT,
          session: read.RATE_LIMIT_SESSION,
          anonymous: read.RATE_LIMIT_ANONYMOUS,
          login: read.RATE_LIMIT_LOGIN,
        }
      : undefined,
    redisUrl: read.REDIS_URL,
  }),
});
