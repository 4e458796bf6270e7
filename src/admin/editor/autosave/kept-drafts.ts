import { sessionState, subscribe } from '../../api/session-store.js';
import { keptChanges, type KeptDraft } from './kept-changes.js';
import { changedFields, isSlugChanged, type Content, type Draft, type Values } from '../draft.js';

/** Of one user, in one locale of one entry. */
export interface DraftPlace {
  readonly user: string;
  readonly project: string;
  readonly environment: string;
  readonly entry: string;
  readonly locale: string;
}

const PREFIX = 'headwater.draft.';

const keyOf = ({ user, project, environment, entry, locale }: DraftPlace): string =>
  `${PREFIX}${[user, project, environment, entry, locale].join('/')}`;

const only = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));

/** A draft that the storage has no room for is not kept. */
export function keepDraft(place: DraftPlace, draft: Draft, version: number): void {
  const fields = changedFields(draft);
  const kept: KeptDraft = {
    ...{ version, at: new Date().toISOString(), fields },
    ...(isSlugChanged(draft) && { slug: draft.now.slug }),
    base: { slug: draft.base.slug, fields: only(draft.base.fields, Object.keys(fields)) },
  };
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(kept));
  } catch {
    dropDraft(place);
  }
}

export function dropDraft(place: DraftPlace): void {
  localStorage.removeItem(keyOf(place));
}

/** The kept draft, if the entry is not older than it and it still changes something. */
export function keptDraft(place: DraftPlace, saved: Content, version: number): KeptDraft | undefined {
  const stored = localStorage.getItem(keyOf(place));
  if (stored === null) return undefined;
  const kept = JSON.parse(stored) as KeptDraft;
  if (version < kept.version) return undefined;
  if (keptChanges(kept, saved).length > 0) return kept;
  dropDraft(place);
  return undefined;
}

/** What was typed belongs to the session: a log out, in any tab, removes it. */
function dropAll(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}

subscribe(() => {
  if (sessionState().status === 'none') dropAll();
});
