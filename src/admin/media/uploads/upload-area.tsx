import { useProject } from '../../api/project-data.js';
import { t, formatBytes } from '../../texts/index.js';
import { DropArea } from '../../ui/drop-area.js';
import { FileButton } from '../../ui/file-button.js';
import { Icon } from '../../ui/icon.js';
import { uploadFiles, discardUpload } from './upload-queue.js';
import { useUploads, type Upload } from './upload-store.js';
import { IconButton } from '../../ui/icon-button.js';
import { AssetLink } from '../library/asset-link.js';

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
function UploadList({ uploads }: { readonly uploads: readonly Upload[] }) {
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

/** Files are chosen or dropped; what they do is listed. */
export function UploadArea({ folderId }: { readonly folderId: string | undefined }) {
  const { slug: projectSlug, environment } = useProject();
  const uploads = useUploads().filter(
    (upload) => upload.projectSlug === projectSlug && upload.environment === environment,
  );
  const start = (files: readonly File[]): void =>
    uploadFiles([...files], { projectSlug, environment, folderId });
  return (
    <DropArea label={t('media.upload')} onFiles={start}>
      <div className="row">
        <FileButton inputLabel={t('upload.choose')} isMultiple isPrimary onFiles={start}>
          <Icon name="up" />
          {t('media.upload')}
        </FileButton>
        <span className="soft wide-only">{t('upload.dropHint')}</span>
      </div>
      <UploadList uploads={uploads} />
    </DropArea>
  );
}
