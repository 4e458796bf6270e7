import { isSame, mergeTyped, type Refused } from './merge-typed.js';

/** In changes the slug is a field of this name. */
export const SLUG = '_slug';

export type Values = Readonly<Record<string, unknown>>;

/** What is edited: the values of one locale. */
export interface Content {
  readonly slug: string;
  readonly fields: Values;
}

/** What was saved, and what has been typed since. */
export interface Draft {
  readonly base: Content;
  readonly now: Content;
}

export const draftOf = (content: Content): Draft => ({ base: content, now: content });

export const withField = (draft: Draft, name: string, value: unknown): Draft => ({
  ...draft,
  now: { ...draft.now, fields: { ...draft.now.fields, [name]: value } },
});

export const withSlug = (draft: Draft, slug: string): Draft => ({ ...draft, now: { ...draft.now, slug } });

/** Values that differ from the saved ones; null clears one. */
export function changedFields({ base, now }: Draft): Values {
  const names = [...new Set([...Object.keys(base.fields), ...Object.keys(now.fields)])];
  return Object.fromEntries(
    names
      .filter((name) => !isSame(base.fields[name], now.fields[name]))
      .map((name) => [name, now.fields[name] ?? null]),
  );
}

export const isSlugChanged = ({ base, now }: Draft): boolean => base.slug !== now.slug;

export const isChanged = (draft: Draft): boolean =>
  isSlugChanged(draft) || Object.keys(changedFields(draft)).length > 0;

/** Takes a replacement back, in fields that still have the values that it gave them. */
export function withTakenBack({ base, now }: Draft, before: Content, after: Content): Draft {
  const names = [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])];
  const restored = names.filter(
    (name) =>
      !isSame(before.fields[name], after.fields[name]) && isSame(now.fields[name], after.fields[name]),
  );
  const values = restored.map((name): [string, unknown] => [name, before.fields[name] ?? null]);
  const slug = now.slug === after.slug ? before.slug : now.slug;
  return { base, now: { slug, fields: { ...now.fields, ...Object.fromEntries(values) } } };
}

/** What was typed, on top of what has been saved since. */
export function rebased(draft: Draft, saved: Content, refused?: Refused): Draft {
  const { base, now } = draft;
  const slug = isSlugChanged(draft) ? now.slug : saved.slug;
  const sides = { base: base.fields, typed: now.fields, saved: saved.fields };
  return { base: saved, now: { slug, fields: mergeTyped(sides, refused) } };
}
