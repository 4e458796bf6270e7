import { useRef, useState } from 'react';
import { client } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { useProject, type Asset } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import { refreshMedia } from '../media-queries.js';
import { base64Of, CALL_BYTES } from '../uploads/base64.js';

/** All uses follow at once; the old file stays in the history. */
export function ReplaceFile({ asset: { id, version, fileName } }: { readonly asset: Asset }) {
  const { slug: projectSlug } = useProject();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState<string>();
  const replace = async (file: File): Promise<void> => {
    if (file.size > CALL_BYTES) return setMessage(t('media.replaceTooLarge'));
    setIsBusy(true);
    try {
      const content = await base64Of(file);
      await client.media.replace.mutate({ projectSlug, id, version, file: { fileName: file.name, content } });
      notify(t('media.replaced'));
    } catch (error) {
      setMessage(failureOf(error).message);
    }
    setIsBusy(false);
    void refreshMedia();
  };
  return (
    <>
      <button className="button" disabled={isBusy} onClick={() => input.current?.click()} type="button">
        {t(isBusy ? 'media.replacing' : 'media.replace')}
      </button>
      <input
        aria-label={t('media.replaceWith')}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) void replace(file);
          target.value = '';
        }}
        ref={input}
        type="file"
      />
      {message !== undefined && (
        <Dialog onClose={() => setMessage(undefined)} title={t('media.notReplaced', { name: fileName })}>
          <p>{message}</p>
        </Dialog>
      )}
    </>
  );
}
