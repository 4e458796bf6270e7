import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { useProject, type Asset } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import { refreshMedia } from '../media-queries.js';

/** A file in use is deleted only when that is said again. */
export function DeleteAsset({ asset }: { readonly asset: Asset }) {
  const { slug, environment } = useProject();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const [refusal, setRefusal] = useState<{ readonly code: string; readonly message: string }>();
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
          <p className="problem" role="status">
            {isUsed ? t('media.deleteUsedHint') : refusal?.message}
          </p>
          <div className="actions">
            <button className="button" data-focus onClick={close} type="button">
              {t('app.cancel')}
            </button>
            <button className="button danger" onClick={() => void remove()} type="button">
              {t(isUsed ? 'media.deleteAnyway' : 'media.delete')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
