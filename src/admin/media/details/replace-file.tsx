import { useState } from 'react';
import { limits } from '../../../../contracts/limits.js';
import { failureOf } from '../../api/failure.js';
import { useProject, type Asset } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import { FileButton } from '../../ui/file-button.js';
import { notify } from '../../ui/toasts.js';
import { refreshMedia } from '../media-queries.js';
import { putFile } from './put-file.js';

const MEGABYTE = 1024 * 1024;

/** All uses follow at once; the old file stays in the history. */
export function ReplaceFile({ asset }: { readonly asset: Asset }) {
  const project = useProject();
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState<string>();
  const replace = async (file: File): Promise<void> => {
    if (file.size > limits.mediaUploadBytes)
      return setMessage(t('media.replaceTooLarge', { size: limits.mediaUploadBytes / MEGABYTE }));
    setIsBusy(true);
    try {
      await putFile(project, asset, file);
      notify(t('media.replaced'));
    } catch (error) {
      setMessage(failureOf(error).message);
    }
    setIsBusy(false);
    void refreshMedia();
  };
  return (
    <>
      <FileButton
        inputLabel={t('media.replaceWith')}
        isDisabled={isBusy}
        onFiles={([file]) => {
          if (file !== undefined) void replace(file);
        }}
      >
        {t(isBusy ? 'media.replacing' : 'media.replace')}
      </FileButton>
      {message !== undefined && (
        <Dialog
          onClose={() => setMessage(undefined)}
          title={t('media.notReplaced', { name: asset.fileName })}
        >
          <p>{message}</p>
        </Dialog>
      )}
    </>
  );
}
