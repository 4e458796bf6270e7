import anyAscii from 'any-ascii';
import { limits } from '../../contracts/limits.js';

const slugLengthMaximum = 80;

/** Enough to fill a slug whatever is dropped on the way; long texts need not be transliterated whole. */
const textLengthMaximum = 1000;

/**
 * A slug made from a title: transliterated to ASCII, lower case, hyphens between words, at most 80
 * characters and cut between words where that keeps at least half. Null when nothing is left.
 */
export function makeSlug(text: string): string | null {
  const words = anyAscii(text.slice(0, textLengthMaximum).normalize('NFC'))
    .toLowerCase()
    // An apostrophe is inside a word, not between two.
    .replaceAll("'", '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return shorten(words.join('-')) || null;
}

function shorten(slug: string): string {
  if (slug.length <= slugLengthMaximum) return slug;
  const end = slug.lastIndexOf('-', slugLengthMaximum);
  return slug.slice(0, end >= slugLengthMaximum / 2 ? end : slugLengthMaximum);
}

/** The one spelling of a slug that is stored and compared: NFC. */
export function normalizeSlug(slug: string): string {
  return slug.normalize('NFC');
}

/** A slug that steps aside for another: `slug-2`. A long one is cut, so that it stays as long as slugs may be. */
export function steppedSlug(slug: string, suffix: string | number): string {
  const end = `-${String(suffix)}`;
  const kept = slug.slice(0, limits.slugLength - end.length);
  // A cut may part the two halves of a character.
  return (kept === slug ? slug : kept.replace(/[\uD800-\uDBFF]$/, '')) + end;
}
