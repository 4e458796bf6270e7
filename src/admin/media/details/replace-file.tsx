import { useState } from 'react';
import { limits } from '../../../../contracts/limits.js';
import { failureOf } from '../../api/failure.js';
import { useProject, type Asset } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import { FileButton } from '../../ui/file-button.js';
import { IconButton } from '../../ui/icon-button.js';
import { notify } from '../../ui/toasts.js';
import { refreshMedia, rememberAsset } from '../media-queries.js';
import { clientIn } from '../../api/client.js';
import { announced, sendBytes, untilAnswered, type Sending } from '../uploads/send-file.js';

/**
 * Replaces the file of an asset, unless someone else has changed the asset. What has arrived of a file that is refused or
 * canceled is deleted.
 */
async function replaceAsset(
  { id, version }: Pick<Asset, 'id' | 'version'>,
  sending: Sending,
): Promise<Asset> {
  const { projectSlug, environment, file, signal } = sending;
  const { mediaUploads } = clientIn(environment);
  const create = () => mediaUploads.create.mutate({ projectSlug, replaces: id, ...announced(file) });
  const { data: started } = await untilAnswered(create, sending);
  const call = { projectSlug, id: started.id };
  try {
    await sendBytes(started, sending);
    signal.throwIfAborted();
    const { data } = await untilAnswered(() => mediaUploads.complete.mutate({ ...call, version }), sending);
    return data;
  } catch (error) {
    // What the service does not delete now, it deletes when the upload expires.
    await mediaUploads.abort.mutate(call).catch(() => undefined);
    throw error;
  }
}

const GIGABYTE = 1024 ** 3;

interface Running {
  readonly file: File;
  /** Bytes that have arrived. */
  readonly arrived: number;
  readonly isWaiting: boolean;
  readonly abort: AbortController;
}

/** The replacement of an asset's file. It goes on while other screens are shown. */
function useReplacement(asset: Asset) {
  const { slug: projectSlug, environment } = useProject();
  const [running, setRunning] = useState<Running>();
  const [message, setMessage] = useState<string>();
  const change = (to: Partial<Running>): void => setRunning((one) => one && { ...one, ...to });
  const replace = async (file: File): Promise<void> => {
    if (file.size > limits.mediaLargeUploadBytes)
      return setMessage(t('media.replaceTooLarge', { size: limits.mediaLargeUploadBytes / GIGABYTE }));
    const abort = new AbortController();
    setRunning({ file, arrived: 0, isWaiting: false, abort });
    try {
      const replaced = await replaceAsset(asset, {
        projectSlug,
        environment,
        file,
        signal: abort.signal,
        onProgress: (arrived) => change({ arrived, isWaiting: false }),
        onWaiting: () => change({ isWaiting: true }),
      });
      rememberAsset({ projectSlug, environment }, replaced);
      notify(t('media.replaced'));
    } catch (error) {
      if (!abort.signal.aborted) setMessage(failureOf(error).message);
    }
    setRunning(undefined);
    void refreshMedia();
  };
  return { running, replace, message, forget: () => setMessage(undefined) };
}

function ReplacementState({ running }: { readonly running: Running }) {
  const { file, arrived, isWaiting, abort } = running;
  const share = file.size === 0 ? 0 : arrived / file.size;
  return (
    <span className="row upload" data-status={isWaiting ? 'waiting' : 'sending'}>
      <progress aria-label={file.name} max={1} value={share} />
      <span className="small soft">
        {isWaiting ? t('upload.waiting') : `${String(Math.round(share * 100))} %`}
      </span>
      <IconButton
        icon="close"
        label={t('upload.discard', { name: file.name })}
        onClick={() => abort.abort()}
      />
    </span>
  );
}

/** All uses follow at once; the old file stays in the history. */
export function ReplaceFile({ asset }: { readonly asset: Asset }) {
  const { running, replace, message, forget } = useReplacement(asset);
  return (
    <>
      {running !== undefined && <ReplacementState running={running} />}
      <FileButton
        inputLabel={t('media.replaceWith')}
        isDisabled={running !== undefined}
        onFiles={([file]) => {
          if (file !== undefined) void replace(file);
        }}
      >
        {t(running === undefined ? 'media.replace' : 'media.replacing')}
      </FileButton>
      {message !== undefined && (
        <Dialog onClose={forget} title={t('media.notReplaced', { name: asset.fileName })}>
          <p>{message}</p>
        </Dialog>
      )}
    </>
  );
}
