import { useState } from 'react';
import { client } from '../../api/client.js';
import { useProject, type Asset } from '../../api/project-data.js';
import { formatNumber, t } from '../../texts/index.js';
import { notify, notifyFailure } from '../../ui/toasts.js';
import { refreshMedia } from '../media-queries.js';
import { BulkDialog, type BulkRequest, type BulkResults } from './bulk-dialog.js';
import { BulkOutcome } from './bulk-outcome.js';
import type { Selection } from './use-selection.js';

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
