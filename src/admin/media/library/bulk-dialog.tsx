import type { Outputs } from '../../api/client.js';
import { t } from '../../texts/index.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { Loaded } from '../../ui/states.js';
import { useFolders } from '../media-queries.js';
import { readTags } from '../tags.js';
import { FolderSelect } from './folder-select.js';

export interface BulkRequest {
  readonly action: 'delete' | 'move' | 'tag' | 'untag';
  readonly params: { folderId?: string | null; tags?: string[]; force?: boolean };
}

/** One for each file. */
export type BulkResults = Outputs['media']['bulk']['data']['results'];

interface Props {
  readonly action: BulkRequest['action'];
  /** Of files. */
  readonly count: number;
  readonly onConfirm: (request: BulkRequest) => void;
  readonly onClose: () => void;
}

const paramsOf = (action: BulkRequest['action'], form: FormData): BulkRequest['params'] => {
  if (action === 'move') return { folderId: (form.get('folder') as string) || null };
  return action === 'delete' ? {} : { tags: readTags(form.get('tags') as string) };
};

/** What an action needs to know, or whether it is meant. */
export function BulkDialog({ action, count, onConfirm, onClose }: Props) {
  const folders = useFolders();
  return (
    <Dialog onClose={onClose} title={t(`media.bulkTitle.${action}`, { count })}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm({ action, params: paramsOf(action, new FormData(event.currentTarget)) });
        }}
      >
        {action === 'move' && (
          <Loaded query={folders}>
            {(all) => <FolderSelect folders={all} label={t('media.folder')} value={null} />}
          </Loaded>
        )}
        {(action === 'tag' || action === 'untag') && (
          <label className="field">
            <span className="label">{t('media.tags')}</span>
            <input className="input" data-focus name="tags" pattern=".*[^\s,].*" required />
            <span className="hint">{t('media.tagsHint')}</span>
          </label>
        )}
        {action === 'delete' && <p>{t('media.deleteHint')}</p>}
        <DialogFooter
          // Without its options, the select would mean no folder.
          disabled={action === 'move' && folders.data === undefined}
          isDangerous={action === 'delete'}
          onCancel={onClose}
          run={t(`media.bulk.${action}`)}
        />
      </form>
    </Dialog>
  );
}
