import { z } from 'zod';
import { limits } from '../../limits.js';

/** Accepts every string: an unknown locale is 404 `locale_not_found`. */
export const deliveryLocale = z.string().max(100).optional().meta({
  description: 'Locale. Defaults to the site default. Locale fallbacks apply.',
  example: 'en',
});
export const redirectLocale = z.string().max(100).optional().meta({
  description: 'Filter by locale; redirects of every locale are included. Defaults to all redirects.',
  example: 'en',
});
/** Rule delivery/entry. */
export const include = z
  .int()
  .min(0)
  .max(limits.includeMaximum)
  .default(0)
  .meta({ description: 'Levels of references to expand, 0 to 3.', example: 0 });
/** Rule delivery/own-blocks. */
export const blocks = z.enum(['hops', 'all']).default('hops').meta({
  description:
    'How blocks that are part of an entry are expanded: `hops`, one level for each level of references, or `all`, on every level without counting.',
  example: 'all',
});
/** Rule delivery/paths. */
export const paths = z.boolean().default(false).meta({
  description: 'Add `_path` to every entry of the response, expanded ones included.',
  example: true,
});
/** Rule content/rich-text. */
export const links = z.enum(['path', 'absolute']).default('path').meta({
  description:
    'How rich text links to pages from `include=1` on: `path`, or `absolute` for URLs that start with the URL of their site.',
  example: 'path',
});
/** Rule publication/previews. Accepts every string: an invalid token is 403 `invalid_preview_token`. */
export const previewToken = z.string().optional().meta({
  description:
    'Token of a preview link. Returns the draft of the entry and locale that the token was issued for.',
  example:
    'eyJhbGciOiJIUzI1NiIsInR5cCI6Imh3LXByZXZpZXcrand0In0.eyJwcmoiOiIwMTlhM2I1ZSJ9.uN4eVdVgYz0x8Qk0m3xq5l2cB7wKJ1n9rT6sD4fH2aE',
});
