import { definePart, wholeNumber } from './setting.js';

export const cache = definePart({
  settings: {
    RESPONSE_CACHE_MB: wholeNumber(0, 65_536)
      .default(64)
      .describe('Megabytes of published responses that a process caches; 0 disables the cache.'),
  },
  slice: (read) => ({ responseCacheBytes: read.RESPONSE_CACHE_MB * 1024 * 1024 }),
});
