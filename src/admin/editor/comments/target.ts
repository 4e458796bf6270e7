import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import type { Field } from '../../api/project-data.js';
import type { SelectedText } from '../../fields/discussion.js';
import type { EntryEditor } from '../use-entry-editor.js';

/** What a new comment will be about besides the whole entry. */
export interface Target {
  readonly field: Field;
  readonly selected?: SelectedText;
  /** Of the field when the text was selected. */
  readonly value: unknown;
}

/** Why a selection cannot be commented on now: the service knows the saved text only. */
export function staleness(
  { selected, field: { apiName }, value }: Target,
  { saved, draft }: Pick<EntryEditor, 'saved' | 'draft'>,
): 'unsaved' | 'changed' | undefined {
  if (selected === undefined || isEqualJson(saved.fields[apiName] ?? null, value ?? null)) return undefined;
  return isEqualJson(draft.now.fields[apiName] ?? null, value ?? null) ? 'unsaved' : 'changed';
}

/** The anchor of a comment in the API. */
export const anchorOf = ({ field, selected }: Target, locale: string) => ({
  field: field.apiName,
  locale,
  ...(selected && { from: selected.from, to: selected.to }),
});
