import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { useProject, type Asset } from '../api/project-data.js';
import { formatBytes, t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import { isRendered, thumbnailUrl } from './media-url.js';

const THUMBNAIL_PIXELS = 160;

export function Thumbnail({ asset }: { readonly asset: Asset }) {
  return (
    <span className="thumbnail">
      {isRendered(asset) ? (
        <img alt="" loading="lazy" src={thumbnailUrl(asset.url, THUMBNAIL_PIXELS)} />
      ) : (
        <Icon name="file" />
      )}
    </span>
  );
}

/** A file with its name, size and alternative text. */
export function AssetLine({ asset }: { readonly asset: Asset }) {
  return (
    <>
      <Thumbnail asset={asset} />
      <span className="grow clip">
        {asset.fileName}
        <br />
        <span className="soft small">
          {formatBytes(asset.size)} · {asset.altText ?? t('pick.noAlt')}
        </span>
      </span>
    </>
  );
}

export function AssetCard({ id }: { readonly id: string }) {
  const { slug } = useProject();
  const { data, error } = useQuery(api.media.get.queryOptions({ projectSlug: slug, id }, { retry: false }));
  if (error !== null) return <span className="soft grow">{t('field.missing')}</span>;
  if (data === undefined) return <span className="soft grow">{t('app.loading')}</span>;
  return <AssetLine asset={data.data} />;
}
