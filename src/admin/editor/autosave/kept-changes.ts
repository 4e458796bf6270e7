import { changesIn } from '../../../content/blocks/changed-paths.js';
import { isSame, mergeTyped, outlineOf, ownBlocksOf } from '../merge-typed.js';
import { valueAt } from '../paths.js';
import { SLUG, type Content, type Draft, type Values } from '../draft.js';

/** What was typed and not saved, kept in the browser. */
export interface KeptDraft {
  /** The version that it changes. */
  readonly version: number;
  readonly at: string;
  readonly fields: Values;
  /** Absent: unchanged. */
  readonly slug?: string;
  /** What was stored of the same fields. */
  readonly base: Content;
}

/** A field that the kept draft changes, and whether someone else has changed it since. */
interface KeptChange {
  /** The slug is `_slug`. */
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly isDisputed: boolean;
}

/** The kept values on top of those that are saved now. */
const recovered = ({ base, fields }: KeptDraft, saved: Values): Values =>
  mergeTyped({ base: base.fields, typed: { ...base.fields, ...fields }, saved });

function isOther(now: unknown, was: unknown): boolean {
  const isList = ownBlocksOf(now).size > 0 || ownBlocksOf(was).size > 0;
  return isList ? !isSame(outlineOf(now), outlineOf(was)) : !isSame(now, was);
}

export function keptChanges(kept: KeptDraft, saved: Content): KeptChange[] {
  const { slug = saved.slug, base } = kept;
  const ofFields = changesIn(saved.fields, recovered(kept, saved.fields))
    .filter(({ from, to }) => !isSame(from, to))
    .map((change) => ({
      ...change,
      isDisputed: isOther(change.from, valueAt(base.fields, change.path).value),
    }));
  if (slug === saved.slug) return ofFields;
  const ofSlug = { path: SLUG, from: saved.slug, to: slug, isDisputed: saved.slug !== base.slug };
  return [...ofFields, ofSlug];
}

/** The kept values on top of a draft. */
export const withKept = ({ base, now }: Draft, kept: KeptDraft): Draft => ({
  base,
  now: { slug: kept.slug ?? now.slug, fields: recovered(kept, now.fields) },
});
