import { makeSlug } from '../../content/slug-field.js';

const SLUG_LENGTH = 63;

/** A slug made from a name; the id for names without letters or digits. */
export const slugFrom = (name: string, id: string): string =>
  makeSlug(name)?.slice(0, SLUG_LENGTH).replace(/-+$/, '') ?? id;
