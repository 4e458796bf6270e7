import { z } from 'zod';
import { limits } from '../../limits.js';

/** Parameters of every search (rules search/drafts and delivery/search). */
export const searchText = z
  .string()
  .max(limits.searchQueryLength)
  .optional()
  .meta({
    description: `Words to find in all fields. The last word may be unfinished. Typing errors are tolerated if nothing has the words as written, and if nothing has all of them, any suffices. Without sort, \`meta.total\` and facets stop at ${String(limits.searchMatches)} with the provider \`database\`.`,
    example: 'river lock',
  });

/** @param keys system keys */
export const searchSort = (keys: string) =>
  z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_.]*:(?:asc|desc)$/, 'must be a key and asc or desc, such as updatedAt:desc')
    .max(limits.apiNameLength + 20)
    .optional()
    .meta({
      description: `Sort key and direction: ${keys} or \`fields.{apiName}\`. Defaults to the best results first, then the last updated.`,
      example: 'updatedAt:desc',
    });

/** @param names system facets */
export const searchFacets = (names: string) =>
  z
    .array(z.string().max(limits.apiNameLength + 10))
    .max(limits.searchFacets)
    .optional()
    .meta({
      description: `Count results by these, separated by commas: ${names} or \`fields.{apiName}\`.`,
      example: ['locale'],
    });

export const highlight = z
  .boolean()
  .default(false)
  .meta({ description: 'Return the parts of the values that were found.', example: true });

/** Of what is published: the site and its states are given. */
export const siteSort = searchSort('title, createdAt, updatedAt, publishedAt');
export const siteFacets = searchFacets('contentType, locale');
