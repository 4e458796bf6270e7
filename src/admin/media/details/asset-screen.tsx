import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api } from '../../api/client.js';
import { useProject, type Asset } from '../../api/project-data.js';
import { formatBytes, formatTime, t } from '../../texts/index.js';
import { Icon } from '../../ui/icon.js';
import { Failed, Loaded } from '../../ui/states.js';
import { AssetHistory } from './asset-history.js';
import { AssetProperties } from './asset-properties.js';
import { AssetTexts } from './asset-texts.js';
import { AssetUses } from './asset-uses.js';
import { DeleteAsset } from './delete-asset.js';
import { FocalPoint, PREVIEW_PIXELS } from './focal-point.js';
import { ReplaceFile } from './replace-file.js';
import { useFileUrl } from './use-file-url.js';

function Facts({ asset }: { readonly asset: Asset }) {
  const { mimeType, size, width, height, durationSeconds, pages, createdAt, createdBy, visibility } = asset;
  return (
    <p className="soft small">
      {[
        mimeType,
        formatBytes(size),
        ...(width !== null && height !== null ? [`${String(width)} × ${String(height)}`] : []),
        ...(durationSeconds === null ? [] : [t('media.seconds', { seconds: Math.round(durationSeconds) })]),
        ...(pages === null ? [] : [t('media.pages', { pages })]),
        ...(visibility === 'private' ? [t('media.private')] : []),
        t('media.uploadedBy', { time: formatTime(createdAt), name: createdBy.name }),
      ].join(' · ')}
    </p>
  );
}

/** The file, if browsers show it, and the part of it that crops keep. */
function Preview({ asset }: { readonly asset: Asset }) {
  const isPicture = asset.mimeType.startsWith('image/');
  const { data: url, error, refetch } = useFileUrl(asset, isPicture ? PREVIEW_PIXELS : undefined);
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  if (isPicture) return <FocalPoint asset={asset} key={asset.checksum} url={url} />;
  return (
    <div className="preview blank">
      <Icon name="file" />
      <span className="soft">{asset.mimeType}</span>
    </div>
  );
}

function OpenFile({ asset }: { readonly asset: Asset }) {
  const { data: url } = useFileUrl(asset);
  return (
    <a className="button" href={url} rel="noreferrer" target="_blank">
      <Icon name="open" />
      {t('media.open')}
    </a>
  );
}

/** The form is reset only when these values change, so other changes do not discard what was typed. */
const propertiesOf = ({ fileName, folderId, tags, visibility, siteIds }: Asset): string =>
  JSON.stringify([fileName, folderId, tags, visibility, siteIds]);

function AssetDetails({ asset }: { readonly asset: Asset }) {
  const { slug, environment, may } = useProject();
  return (
    <>
      <header className="editor-head">
        <Link
          aria-label={t('media.back')}
          className="button icon plain"
          params={{ project: slug, environment }}
          search={{ folder: asset.folderId ?? undefined }}
          to="/$project/$environment/media"
        >
          <Icon name="back" />
        </Link>
        <div className="grow">
          <h1 className="clip">{asset.fileName}</h1>
          <Facts asset={asset} />
        </div>
        <OpenFile asset={asset} />
        {may('media.update') && may('mediaUploads.create') && <ReplaceFile asset={asset} />}
        {may('media.delete') && <DeleteAsset asset={asset} />}
      </header>
      <div className="asset-details">
        <div className="stack">
          <Preview asset={asset} />
          <AssetUses asset={asset} />
          <AssetHistory asset={asset} />
        </div>
        <div className="stack">
          <AssetTexts asset={asset} />
          <AssetProperties asset={asset} key={propertiesOf(asset)} />
        </div>
      </div>
    </>
  );
}

/** One file: what it shows, what is said of it in each locale, where it is used, and the files it was before. */
export function AssetScreen() {
  const { slug: projectSlug } = useProject();
  const { asset: id } = useParams({ from: '/$project/$environment/media/$asset' });
  const query = useQuery(api.media.get.queryOptions({ projectSlug, id }));
  return <Loaded query={query}>{({ data }) => <AssetDetails asset={data} />}</Loaded>;
}
