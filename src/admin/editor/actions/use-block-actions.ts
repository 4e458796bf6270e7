import { client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import type { BlockActions } from '../../fields/form-scope.js';
import { t } from '../../texts/index.js';
import { notify, notifyFailure } from '../../ui/toasts.js';
import type { EntryEditor } from '../use-entry-editor.js';

/** Turns blocks of the entry into shared ones and back. What was typed is saved first. */
export function useBlockActions(editor: EntryEditor): BlockActions {
  const { slug: projectSlug, may } = useProject();
  const { saved, afterSave, adopt, refuse } = editor;
  const call = { projectSlug, id: saved.id, locale: saved.locale };
  const run = async (done: string, work: Parameters<typeof afterSave<Parameters<typeof adopt>[0]>>[0]) => {
    try {
      adopt(await afterSave(work));
      notify(done);
    } catch (error) {
      if (refuse(error) === undefined) notifyFailure(error);
    }
  };
  return {
    share: may('entries.shareBlock')
      ? (blockId) =>
          void run(t('block.shareDone'), async (version) => {
            return (await client.entries.shareBlock.mutate({ ...call, blockId, version })).data;
          })
      : undefined,
    detach: may('entries.detachBlock')
      ? (blockId) =>
          void run(t('block.detachDone'), async (version) => {
            return (await client.entries.detachBlock.mutate({ ...call, blockId, version })).data;
          })
      : undefined,
  };
}
