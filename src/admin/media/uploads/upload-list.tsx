import { formatBytes, t } from '../../texts/index.js';
import { IconButton } from '../../ui/icon-button.js';
import { AssetLink } from '../library/asset-link.js';
import { discardUpload } from './upload-queue.js';
import type { Upload } from './upload-store.js';

const shareOf = ({ arrived, size }: Upload): number => (size === 0 ? 0 : arrived / size);

function UploadState({ upload }: { readonly upload: Upload }) {
  const { status, message } = upload;
  if (status === 'failed') return <span className="problem">{message}</span>;
  if (status === 'sending' || status === 'waiting')
    return (
      <>
        <progress aria-label={upload.name} max={1} value={shareOf(upload)} />
        <span className="small soft">
          {status === 'waiting' ? t('upload.waiting') : `${String(Math.round(shareOf(upload) * 100))} %`}
        </span>
      </>
    );
  return <span className="small soft">{t(`upload.${status}`)}</span>;
}

function UploadRow({ upload }: { readonly upload: Upload }) {
  const { name, size, assetId, status } = upload;
  return (
    <li className="row upload" data-status={status}>
      <span className="grow clip">
        {assetId === undefined ? (
          name
        ) : (
          <AssetLink asset={{ id: assetId }} className="row-link">
            {name}
          </AssetLink>
        )}{' '}
        <span className="soft small">{formatBytes(size)}</span>
      </span>
      <UploadState upload={upload} />
      <IconButton
        icon="close"
        label={t(assetId === undefined ? 'upload.discard' : 'upload.hide', { name })}
        onClick={() => void discardUpload(upload)}
      />
    </li>
  );
}

/** What the uploads do. */
export function UploadList({ uploads }: { readonly uploads: readonly Upload[] }) {
  const ended = uploads.filter(({ status }) => status === 'done' || status === 'known').length;
  return (
    <>
      <p className="hidden-text" role="status">
        {ended > 0 && t('upload.ended', { count: ended })}
      </p>
      {uploads.some(({ status }) => status === 'interrupted') && (
        <p className="notice">{t('upload.interruptedHint')}</p>
      )}
      {uploads.length > 0 && (
        <ul className="uploads">
          {uploads.map((upload) => (
            <UploadRow key={upload.key} upload={upload} />
          ))}
        </ul>
      )}
    </>
  );
}
