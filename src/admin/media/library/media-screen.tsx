import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useProject, type Asset, localesOf } from '../../api/project-data.js';
import { formatNumber, t, formatBytes, formatTime, localeName } from '../../texts/index.js';
import { Empty, Failed, Loaded } from '../../ui/states.js';
import { useAssets, useFolders } from '../media-queries.js';
import { UploadArea } from '../uploads/upload-area.js';
import { FolderBar } from './folder-bar.js';
import { isFiltered, type MediaSearch, mediaKinds, mediaOrders } from './media-search.js';
import { SelectionBar, useSelection, type Selection } from './selection-bar.js';
import { Thumbnail } from '../asset-card.js';
import { AssetLink } from './asset-link.js';
import { Choice } from '../../ui/choice.js';
import { IconButton } from '../../ui/icon-button.js';
import { SearchBox } from '../../ui/search-box.js';

interface MediaFiltersProps {
  readonly search: MediaSearch;
  readonly onChange: (search: MediaSearch) => void;
}

function MediaFilters({ search, onChange }: MediaFiltersProps) {
  const project = useProject();
  const isList = search.view === 'list';
  return (
    <div className="filters row">
      <SearchBox label={t('media.search')} onChange={(q) => onChange({ ...search, q })} value={search.q} />
      <Choice
        label={t('media.kind')}
        onChange={(chosen) => onChange({ ...search, kind: mediaKinds.find((kind) => kind === chosen) })}
        value={search.kind}
      >
        {mediaKinds.map((kind) => (
          <option key={kind} value={kind}>
            {t(`media.${kind}`)}
          </option>
        ))}
      </Choice>
      <select
        aria-label={t('media.missingAlt')}
        className="select compact"
        onChange={({ target }) => onChange({ ...search, missingAlt: target.value || undefined })}
        value={search.missingAlt ?? ''}
      >
        <option value="">{t('media.anyAlt')}</option>
        {localesOf(project).map((locale) => (
          <option key={locale} value={locale}>
            {t('media.missingAltIn', { locale: localeName(locale) })}
          </option>
        ))}
      </select>
      <select
        aria-label={t('media.order')}
        className="select compact"
        onChange={({ target }) =>
          onChange({ ...search, order: mediaOrders.find((order) => order === target.value) })
        }
        value={search.order ?? mediaOrders[0]}
      >
        {mediaOrders.map((order) => (
          <option key={order} value={order}>
            {t(`media.order.${order}`)}
          </option>
        ))}
      </select>
      <label className="row tight">
        <input
          checked={search.unused === true}
          onChange={({ target }) => onChange({ ...search, unused: target.checked ? true : undefined })}
          type="checkbox"
        />
        {t('media.unused')}
      </label>
      {search.tag !== undefined && (
        <button className="button" onClick={() => onChange({ ...search, tag: undefined })} type="button">
          {t('media.withTag', { tag: search.tag })} ×
        </button>
      )}
      <span className="row tight" role="group">
        <IconButton
          aria-pressed={!isList}
          icon="type"
          label={t('media.viewGrid')}
          onClick={() => onChange({ ...search, view: undefined })}
        />
        <IconButton
          aria-pressed={isList}
          icon="list"
          label={t('media.viewList')}
          onClick={() => onChange({ ...search, view: 'list' })}
        />
      </span>
    </div>
  );
}

interface Props {
  readonly asset: Asset;
  readonly selection: Selection;
}

const AssetCheck = ({ asset: { id, fileName }, selection }: Props) => (
  <input
    aria-label={t('media.select', { name: fileName })}
    checked={selection.ids.has(id)}
    className="check"
    onChange={() => selection.toggle(id)}
    type="checkbox"
  />
);

interface AssetViewProps {
  readonly assets: readonly Asset[];
  /** Absent: nothing can be selected. */
  readonly selection: Selection | undefined;
}

const lacksAlt = ({ mimeType, altText }: Asset): boolean =>
  mimeType.startsWith('image/') && (altText ?? '') === '';

function AssetGrid({ assets, selection }: AssetViewProps) {
  return (
    <ul className="tiles">
      {assets.map((asset) => (
        <li className={selection?.ids.has(asset.id) === true ? 'tile selected' : 'tile'} key={asset.id}>
          <AssetLink asset={asset} className="tile-link">
            <Thumbnail asset={asset} />
            <span className="clip">{asset.fileName}</span>
          </AssetLink>
          <p className="row tile-facts">
            <span className="soft small grow">{formatBytes(asset.size)}</span>
            {lacksAlt(asset) && <span className="badge changed">{t('media.noAlt')}</span>}
          </p>
          {selection !== undefined && <AssetCheck asset={asset} selection={selection} />}
        </li>
      ))}
    </ul>
  );
}

/** One row per file, for many of them. */
function AssetTable({ assets, selection }: AssetViewProps) {
  return (
    <table className="plain-table">
      <thead>
        <tr>
          {selection !== undefined && (
            <th>
              <span className="hidden-text">{t('media.selection')}</span>
            </th>
          )}
          <th>{t('media.fileName')}</th>
          <th className="wide-only">{t('media.altText')}</th>
          <th>{t('media.size')}</th>
          <th className="wide-only">{t('media.usesColumn')}</th>
          <th className="wide-only">{t('column.updated')}</th>
        </tr>
      </thead>
      <tbody>
        {assets.map((asset) => (
          <tr key={asset.id}>
            {selection !== undefined && (
              <td>
                <AssetCheck asset={asset} selection={selection} />
              </td>
            )}
            <td className="name-cell">
              <AssetLink asset={asset} className="row-link row tight">
                <Thumbnail asset={asset} />
                <span className="clip">{asset.fileName}</span>
              </AssetLink>
            </td>
            <td className="wide-only clip">
              {lacksAlt(asset) ? <span className="badge changed">{t('media.noAlt')}</span> : asset.altText}
            </td>
            <td>{formatBytes(asset.size)}</td>
            <td className="wide-only">{formatNumber(asset.usageCount)}</td>
            <td className="wide-only soft">{formatTime(asset.updatedAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

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
