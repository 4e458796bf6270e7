import { useRef, useState } from 'react';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { Icon } from '../../ui/icon.js';
import { UploadList } from './upload-list.js';
import { uploadFiles } from './upload-queue.js';
import { useUploads } from './upload-store.js';

/** Files are chosen or dropped; what they do is listed. */
export function UploadArea({ folderId }: { readonly folderId: string | undefined }) {
  const { slug: projectSlug, environment } = useProject();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const uploads = useUploads().filter(
    (upload) => upload.projectSlug === projectSlug && upload.environment === environment,
  );
  const start = (files: FileList | null): void =>
    uploadFiles([...(files ?? [])], { projectSlug, environment, folderId });
  return (
    <section
      aria-label={t('media.upload')}
      className={isOver ? 'drop over' : 'drop'}
      onDragLeave={() => setIsOver(false)}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        start(event.dataTransfer.files);
      }}
    >
      <div className="row">
        <button className="button primary" onClick={() => input.current?.click()} type="button">
          <Icon name="up" />
          {t('media.upload')}
        </button>
        <span className="soft wide-only">{t('upload.dropHint')}</span>
        <input
          aria-label={t('upload.choose')}
          hidden
          multiple
          onChange={({ target }) => {
            start(target.files);
            // The same file can be chosen again.
            target.value = '';
          }}
          ref={input}
          type="file"
        />
      </div>
      <UploadList uploads={uploads} />
    </section>
  );
}
