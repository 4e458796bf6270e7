import { useEffect } from 'react';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import type { Entry } from '../../api/project-data.js';
import { isChanged } from '../draft.js';
import { useEntryEditor, type EntryEditor } from '../use-entry-editor.js';
import { contentOf } from '../use-entry-state.js';

/**
 * The editor of the locale beside the main one. What it saves is a version of the whole entry, which the main one
 * continues from.
 * @param entry as it was read last: what others change is shown unless something was typed
 */
export function useOtherEditor(main: EntryEditor, entry: Entry): EntryEditor {
  const other = useEntryEditor(entry);
  useEffect(() => {
    if (other.progress.kind === 'saved') main.follow(other.stored());
  }, [other.progress]);
  useEffect(() => {
    const isNews = entry.version >= other.stored().version && !isChanged(other.latest());
    if (isNews && !isEqualJson(contentOf(entry), other.latest().base)) other.adopt(entry);
  }, [entry]);
  return other;
}
