import { client } from '../../api/client.js';
import { useProject, type Asset } from '../../api/project-data.js';
import { useCall } from '../../api/use-call.js';
import { formatBytes, formatTime, t } from '../../texts/index.js';
import { Loaded } from '../../ui/states.js';
import { notify, notifyFailure } from '../../ui/toasts.js';
import { refreshMedia, rememberAsset, useAssetFiles } from '../media-queries.js';

/** The files that the asset has had. */
export function AssetHistory({ asset }: { readonly asset: Asset }) {
  const { slug: projectSlug, environment, may } = useProject();
  const { id, version } = asset;
  const { isBusy, run } = useCall();
  const query = useAssetFiles(id);
  const restore = (versionNum: number): Promise<void> =>
    run(async () => {
      try {
        const { data } = await client.media.restoreVersion.mutate({ projectSlug, id, version, versionNum });
        rememberAsset({ projectSlug, environment }, data);
        notify(t('media.fileRestored'));
      } catch (error) {
        notifyFailure(error);
      }
      void refreshMedia();
    });
  return (
    <section aria-labelledby="asset-history" className="stack">
      <h2 className="group-title" id="asset-history">
        {t('media.history')}
      </h2>
      <Loaded query={query}>
        {({ data }) => (
          <ul className="versions">
            {data.map((file) => (
              <li className="version" key={file.versionNum}>
                <p className="row">
                  <strong className="grow clip">{file.fileName}</strong>
                  {file.isCurrent && <span className="badge">{t('versions.current')}</span>}
                  {!file.isCurrent && may('media.update') && (
                    <button
                      aria-label={t('media.restoreFile', { time: formatTime(file.createdAt) })}
                      className="button"
                      disabled={isBusy}
                      onClick={() => void restore(file.versionNum)}
                      type="button"
                    >
                      {t('versions.restore')}
                    </button>
                  )}
                </p>
                <p className="small soft">
                  {[formatBytes(file.size), file.createdBy.name, formatTime(file.createdAt)].join(' · ')}
                </p>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}
