import { useState, useEffect } from 'react';
import { client, type Outputs } from '../../api/client.js';
import { useProject, type Asset } from '../../api/project-data.js';
import { formatNumber, t, failureText } from '../../texts/index.js';
import { notify, notifyFailure } from '../../ui/toasts.js';
import { refreshMedia, useFolders } from '../media-queries.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { Loaded } from '../../ui/states.js';
import { readTags } from '../details/asset-properties.js';
import { FolderSelect } from './folder-select.js';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly select: (ids: readonly string[]) => void;
}

/** Which items are selected; another list begins with none. */
export function useSelection(list: string): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    setIds(new Set());
  }, [list]);
  const toggle = (id: string): void =>
    setIds((all) => (all.has(id) ? new Set([...all].filter((one) => one !== id)) : new Set([...all, id])));
  return { ids, toggle, select: (chosen) => setIds(new Set(chosen)) };
}

export interface BulkRequest {
  readonly action: 'delete' | 'move' | 'tag' | 'untag';
  readonly params: { folderId?: string | null; tags?: string[]; force?: boolean };
}

/** One for each file. */
export type BulkResults = Outputs['media']['bulk']['data']['results'];

interface BulkProps {
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
function BulkDialog({ action, count, onConfirm, onClose }: BulkProps) {
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

interface BulkOutcomeProps {
  readonly refused: BulkResults;
  /** By id. */
  readonly names: ReadonlyMap<string, string>;
  /** Deletes also what is in use. */
  readonly onForce: () => void;
  readonly onClose: () => void;
}

/** Which files were refused, and why. */
function BulkOutcome({ refused, names, onForce, onClose }: BulkOutcomeProps) {
  const used = refused.filter(({ error }) => error === 'media_in_use');
  return (
    <Dialog onClose={onClose} title={t('media.refused', { count: refused.length })}>
      <ul className="versions">
        {refused.map(({ assetId, error = '', message = '' }) => (
          <li className="version" key={assetId}>
            <strong className="clip">{names.get(assetId) ?? assetId}</strong>
            <span className="small">{failureText(error, message)}</span>
          </li>
        ))}
      </ul>
      <div className="actions">
        <button className="button" onClick={onClose} type="button">
          {t('app.close')}
        </button>
        {used.length > 0 && (
          <button className="button danger" onClick={onForce} type="button">
            {t('media.deleteUsed')}
          </button>
        )}
      </div>
    </Dialog>
  );
}

/** What the service changes in one call. */
const ASSETS_PER_CALL = 100;

interface Props {
  readonly selection: Selection;
  readonly shown: readonly Asset[];
}

const chunksOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / ASSETS_PER_CALL) }, (_, index) =>
    ids.slice(index * ASSETS_PER_CALL, (index + 1) * ASSETS_PER_CALL),
  );

/** What is done with several files. Those that are refused stay selected, each with its reason. */
export function SelectionBar({ selection, shown }: Props) {
  const { slug: projectSlug, may } = useProject();
  const [action, setAction] = useState<BulkRequest['action']>();
  const [refused, setRefused] = useState<BulkResults>([]);
  const apply = async (request: BulkRequest, assetIds: readonly string[]): Promise<void> => {
    setAction(undefined);
    try {
      const results: BulkResults = [];
      for (const chunk of chunksOf(assetIds)) {
        const { data } = await client.media.bulk.mutate({ projectSlug, ...request, assetIds: chunk });
        results.push(...data.results);
      }
      const failed = results.filter(({ ok }) => !ok);
      setRefused(failed);
      selection.select(failed.map(({ assetId }) => assetId));
      const done = results.length - failed.length;
      if (done > 0) notify(t(`media.done.${request.action}`, { count: formatNumber(done) }));
    } catch (error) {
      notifyFailure(error);
    }
    void refreshMedia();
  };
  const { ids } = selection;
  const everything = shown.map(({ id }) => id);
  return (
    <div aria-label={t('media.selection')} className="row selection" role="toolbar">
      <label className="row tight">
        <input
          checked={ids.size > 0 && everything.every((id) => ids.has(id))}
          onChange={({ target }) => selection.select(target.checked ? everything : [])}
          type="checkbox"
        />
        {ids.size === 0 ? t('media.selectAll') : t('media.selected', { count: formatNumber(ids.size) })}
      </label>
      {ids.size > 0 && (
        <>
          {may('media.update') &&
            (['move', 'tag', 'untag'] as const).map((one) => (
              <button className="button" key={one} onClick={() => setAction(one)} type="button">
                {t(`media.bulk.${one}`)}
              </button>
            ))}
          {may('media.delete') && (
            <button className="button danger" onClick={() => setAction('delete')} type="button">
              {t('media.bulk.delete')}
            </button>
          )}
        </>
      )}
      {action !== undefined && (
        <BulkDialog
          action={action}
          count={ids.size}
          onClose={() => setAction(undefined)}
          onConfirm={(request) => void apply(request, [...ids])}
        />
      )}
      {refused.length > 0 && (
        <BulkOutcome
          names={new Map(shown.map(({ id, fileName }) => [id, fileName]))}
          onClose={() => setRefused([])}
          onForce={() => {
            const used = refused.filter(({ error }) => error === 'media_in_use');
            const assetIds = used.map(({ assetId }) => assetId);
            setRefused([]);
            void apply({ action: 'delete', params: { force: true } }, assetIds);
          }}
          refused={refused}
        />
      )}
    </div>
  );
}
