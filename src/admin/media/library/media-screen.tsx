import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useProject, type Asset } from '../../api/project-data.js';
import { formatNumber, t } from '../../texts/index.js';
import { Empty, Failed, Loaded } from '../../ui/states.js';
import { useAssets, useFolders } from '../media-queries.js';
import { UploadArea } from '../uploads/upload-area.js';
import { AssetGrid } from './asset-grid.js';
import { AssetTable } from './asset-table.js';
import { FolderBar } from './folder-bar.js';
import { MediaFilters } from './media-filters.js';
import { isFiltered, type MediaSearch } from './media-search.js';
import { SelectionBar } from './selection-bar.js';
import { useSelection } from './use-selection.js';

interface ResultsProps {
  readonly search: MediaSearch;
  readonly onReset: () => void;
}

function Results({ search, onReset }: ResultsProps) {
  const assets = useAssets(search);
  const selection = useSelection(JSON.stringify(search));
  const { may } = useProject();
  const canChange = may('media.update') || may('media.delete');
  return (
    <Loaded query={assets}>
      {({ pages }) => {
        const shown: readonly Asset[] = pages.flatMap(({ data }) => data);
        if (shown.length === 0)
          return isFiltered(search) ? (
            <Empty hint={t('list.noMatchHint')} title={t('media.noMatch')}>
              <button className="button" onClick={onReset} type="button">
                {t('list.reset')}
              </button>
            </Empty>
          ) : (
            <Empty hint={t('media.emptyHint')} title={t('media.empty')} />
          );
        const View = search.view === 'list' ? AssetTable : AssetGrid;
        return (
          <div className="stack media-results">
            <p aria-live="polite" className="soft small">
              {t('media.total', { total: formatNumber(pages[0]?.meta.total ?? shown.length) })}
            </p>
            {canChange && <SelectionBar selection={selection} shown={shown} />}
            <View assets={shown} selection={canChange ? selection : undefined} />
            {assets.hasNextPage && (
              <button
                className="button more"
                disabled={assets.isFetchingNextPage}
                onClick={() => void assets.fetchNextPage()}
                type="button"
              >
                {t('media.more')}
              </button>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

/** The files of the project: found, put into folders, uploaded. */
export function MediaScreen() {
  const { may } = useProject();
  const search = useSearch({ from: '/$project/$environment/media' });
  const navigate = useNavigate({ from: '/$project/$environment/media' });
  const folders = useFolders();
  const [edition, setEdition] = useState(0);
  const change = (next: MediaSearch): void => void navigate({ search: next, replace: true });
  const reset = (): void => {
    setEdition(edition + 1);
    change({ folder: search.folder, view: search.view, order: search.order });
  };
  return (
    <div className="media-screen">
      <header className="screen-head row">
        <h1 className="grow">{t('media.library')}</h1>
      </header>
      <MediaFilters key={edition} onChange={change} search={search} />
      <div className="stack media-body">
        {folders.data === undefined && folders.error !== null ? (
          <Failed error={folders.error} onRetry={() => void folders.refetch()} />
        ) : (
          <FolderBar folders={folders.data ?? []} search={search} />
        )}
        {may('mediaUploads.create') && <UploadArea folderId={search.folder} />}
        <Results onReset={reset} search={search} />
      </div>
    </div>
  );
}
