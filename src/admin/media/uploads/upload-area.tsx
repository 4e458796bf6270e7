import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { DropArea } from '../../ui/drop-area.js';
import { FileButton } from '../../ui/file-button.js';
import { Icon } from '../../ui/icon.js';
import { UploadList } from './upload-list.js';
import { uploadFiles } from './upload-queue.js';
import { useUploads } from './upload-store.js';

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
