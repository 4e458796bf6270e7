import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import type { Field } from '../../api/project-data.js';
import type { SelectedText } from '../../fields/discussion.js';
import { placeAt, valueAt } from '../paths.js';
import type { EntryEditor } from '../use-entry-editor.js';

/** What a new comment will be about besides the whole entry. */
export interface Target {
  readonly field: Field;
  /** Of the field, such as `sections[<id>].title`. */
  readonly path: string;
  readonly selected?: SelectedText;
  /** Of the field when the text was selected. */
  readonly value: unknown;
}

/** Why something cannot be commented on now: the service knows saved blocks and the saved text only. */
export function staleness(
  { selected, path, value }: Target,
  { saved, draft }: Pick<EntryEditor, 'saved' | 'draft'>,
): 'unsaved' | 'changed' | 'unsavedBlock' | undefined {
  const stored = valueAt(saved.fields, path);
  if (!stored.isThere) return 'unsavedBlock';
  if (selected === undefined || isEqualJson(stored.value ?? null, value ?? null)) return undefined;
  const now = valueAt(draft.now.fields, path).value;
  return isEqualJson(now ?? null, value ?? null) ? 'unsaved' : 'changed';
}

/** The anchor of a comment in the API. */
export const anchorOf = ({ path, selected }: Target, locale: string) => ({
  ...placeAt(path),
  locale,
  ...(selected && { from: selected.from, to: selected.to }),
});
