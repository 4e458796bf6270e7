import { client } from '../api/client.js';
import { isChanged, rebased } from './draft.js';
import type { EntryEditor } from './use-entry-editor.js';
import { contentOf } from './use-entry-state.js';

/**
 * Reads the entry again after something besides its content has changed. What was typed is kept: if the content has
 * another version by now, it stays based on the version in which it was typed, so that saving compares both.
 */
export async function refreshEntry(projectSlug: string, editor: EntryEditor): Promise<void> {
  const { saved, stored, latest, change, remember } = editor;
  const { data } = await client.entries.get.query({ projectSlug, id: saved.id, locale: saved.locale });
  const { version, slug, fields } = stored();
  // What was typed has been saved since.
  if (data.version < version) return;
  if (data.version > version && isChanged(latest())) return remember({ ...data, version, slug, fields });
  change((typed) => rebased(typed, contentOf(data)));
  remember(data);
}
