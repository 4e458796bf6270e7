import type { Field } from '../api/project-data.js';

/** What a field may name: apiNames of content types and media types. Undefined: all; empty: none. */
export interface AllowedTargets {
  readonly entries: readonly string[] | undefined;
  readonly assets: readonly string[] | undefined;
}

/** What rich text of a field may link to or embed. A mention is a link. */
export function allowedTargets(
  { validations }: Field,
  key: 'allowedLinks' | 'allowedEmbeds',
): AllowedTargets {
  const allowed = validations[key] as readonly string[] | undefined;
  const isMediaType = (name: string): boolean => name.includes('/');
  return {
    entries: allowed?.filter((name) => !isMediaType(name)),
    assets: allowed?.filter(isMediaType),
  };
}

export const allowsSome = (types: readonly string[] | undefined): boolean =>
  types === undefined || types.length > 0;
