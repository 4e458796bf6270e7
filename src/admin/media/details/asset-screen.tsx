import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useNavigate } from '@tanstack/react-router';
import { api, client } from '../../api/client.js';
import { useProject, type Asset } from '../../api/project-data.js';
import { formatBytes, formatTime, t, localeName } from '../../texts/index.js';
import { useFieldNames } from '../../editor/field-label.js';
import { LeaveGuard } from '../../editor/leave-guard.js';
import { Icon } from '../../ui/icon.js';
import { Failed, Loaded, Loading } from '../../ui/states.js';
import { AssetHistory } from './asset-history.js';
import { AssetProperties } from './asset-properties.js';
import { AssetTexts } from './asset-texts.js';
import { FocalPoint, PREVIEW_PIXELS } from './focal-point.js';
import { ReplaceFile } from './replace-file.js';
import { fileUrl, renditionUrl } from '../media-url.js';
import { useState } from 'react';
import { failureOf, type Failure } from '../../api/failure.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import { refreshMedia, useAssetFiles, useAssetLocales, useAssetUses, useFolders } from '../media-queries.js';

/** A file in use is deleted only when that is said again. */
function DeleteAsset({ asset }: { readonly asset: Asset }) {
  const { slug, environment } = useProject();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const [refusal, setRefusal] = useState<Failure>();
  const isUsed = refusal?.code === 'media_in_use';
  const { id, fileName, folderId } = asset;
  const close = (): void => {
    setIsOpen(false);
    setRefusal(undefined);
  };
  const remove = async (): Promise<void> => {
    try {
      await client.media.delete.mutate({ projectSlug: slug, id, force: isUsed });
      notify(t('media.deleted', { name: fileName }));
      await navigate({
        to: '/$project/$environment/media',
        params: { project: slug, environment },
        search: { folder: folderId ?? undefined },
        ignoreBlocker: true,
      });
      void refreshMedia();
    } catch (error) {
      setRefusal(failureOf(error));
    }
  };
  return (
    <>
      <button className="button danger" onClick={() => setIsOpen(true)} type="button">
        {t('media.delete')}
      </button>
      {isOpen && (
        <Dialog onClose={close} title={t('media.deleteTitle', { name: fileName })}>
          <p>{t('media.deleteOneHint')}</p>
          <DialogFooter
            isDangerous
            onCancel={close}
            onRun={remove}
            refusal={isUsed ? t('media.deleteUsedHint') : refusal?.problem}
            run={t(isUsed ? 'media.deleteAnyway' : 'media.delete')}
          />
        </Dialog>
      )}
    </>
  );
}

/** The fields of entries that show the file. */
function AssetUses({ asset: { id } }: { readonly asset: Asset }) {
  const { slug: projectSlug, environment } = useProject();
  const fieldOf = useFieldNames();
  const query = useAssetUses(id);
  return (
    <section aria-labelledby="asset-uses" className="stack">
      <h2 className="group-title" id="asset-uses">
        {t('media.uses')}
      </h2>
      <Loaded query={query}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="soft">{t('media.noUses')}</p>
          ) : (
            <ul className="versions">
              {data.map((use) => (
                <li
                  className="version"
                  key={[use.entryId, use.fieldApiName, ...use.blocks, use.locale].join(' ')}
                >
                  <p className="row">
                    <Link
                      className="row-link grow clip"
                      params={{ project: projectSlug, environment, entry: use.entryId }}
                      search={{ locale: use.locale ?? undefined }}
                      to="/$project/$environment/entries/$entry"
                    >
                      {use.title}
                    </Link>
                    {use.inPublished && <span className="badge published">{t('status.published')}</span>}
                    {use.inDraft && <span className="badge">{t('status.draft')}</span>}
                  </p>
                  <p className="small soft">
                    {[
                      fieldOf(use.contentTypeApiName, use.fieldApiName, use.blocks.length > 0),
                      ...(use.locale === null ? [] : [localeName(use.locale)]),
                    ].join(' · ')}
                  </p>
                </li>
              ))}
              {meta.total > data.length && (
                <li className="soft small">{t('media.moreUses', { count: meta.total - data.length })}</li>
              )}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

/** Shorter than the hour that a signed URL works. */
const FRESH_MILLISECONDS = 30 * 60 * 1000;

/** The URL of the file, or of a smaller copy. Private files have one that works for an hour. */
function useFileUrl({ id, url, visibility, checksum }: Asset, pixels?: number) {
  const { slug: projectSlug } = useProject();
  return useQuery({
    queryKey: ['file-url', id, checksum, visibility, pixels],
    queryFn: async (): Promise<string> => {
      if (visibility === 'public') return pixels === undefined ? fileUrl(url) : renditionUrl(url, pixels);
      const transform = pixels === undefined ? {} : { transform: { w: pixels, fm: 'webp' as const } };
      const { data } = await client.media.signUrl.mutate({ projectSlug, id, ...transform });
      return fileUrl(data.url);
    },
    staleTime: FRESH_MILLISECONDS,
  });
}

/** Such as SVG. */
const formatOf = ({ fileName, mimeType }: Asset): string =>
  /\.(\w{1,5})$/.exec(fileName)?.[1]?.toUpperCase() ?? mimeType;

function Facts({ asset }: { readonly asset: Asset }) {
  const { size, width, height, durationSeconds, pages, createdAt, createdBy, visibility } = asset;
  return (
    <p className="soft small">
      {[
        formatOf(asset),
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
    <div className="file-preview blank">
      <Icon name="file" />
      <span className="soft">{formatOf(asset)}</span>
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

function AssetDetails({ asset }: { readonly asset: Asset }) {
  const { slug, environment, may } = useProject();
  const [hasTexts, setHasTexts] = useState(false);
  const [hasProperties, setHasProperties] = useState(false);
  const parts = [useAssetUses(asset.id), useAssetFiles(asset.id), useAssetLocales(asset.id), useFolders()];
  // The parts appear together: none moves another that is being read.
  const isLoading = parts.some(({ data, error }) => data === undefined && error === null);
  return (
    <>
      <LeaveGuard isDirty={hasTexts || hasProperties} />
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
          {!isLoading && (
            <>
              <AssetUses asset={asset} />
              <AssetHistory asset={asset} />
            </>
          )}
        </div>
        {isLoading ? (
          <Loading />
        ) : (
          <div className="stack">
            <AssetTexts asset={asset} onUnsaved={setHasTexts} />
            <AssetProperties asset={asset} onUnsaved={setHasProperties} />
          </div>
        )}
      </div>
    </>
  );
}

/** One file: what it shows, what is said of it in each locale, where it is used, and the files it was before. */
export function AssetScreen() {
  const { slug: projectSlug } = useProject();
  const { asset: id } = useParams({ from: '/$project/$environment/media/$asset' });
  const query = useQuery(api.media.get.queryOptions({ projectSlug, id }));
  return <Loaded query={query}>{({ data }) => <AssetDetails asset={data} key={id} />}</Loaded>;
}
