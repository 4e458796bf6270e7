import { useState } from 'react';
import { client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { useCall } from '../../api/use-call.js';
import { localeName, t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import type { EntryEditor } from '../use-entry-editor.js';

interface Props {
  readonly editor: EntryEditor;
  readonly from: string;
  readonly onClose: () => void;
}

const extents = [
  { overwrite: false, text: 'beside.copyEmpty' },
  { overwrite: true, text: 'beside.copyEvery' },
] as const;

/** Copies the values of another locale into the edited one. What was typed is saved before. */
export function CopyLocaleDialog({ editor, from, onClose }: Props) {
  const { slug: projectSlug } = useProject();
  const [overwrite, setOverwrite] = useState(false);
  const { isBusy, failure, run } = useCall();
  const { id, locale } = editor.saved;
  const copy = (): Promise<void> =>
    run(async () => {
      const { data } = await editor.afterSave((version) =>
        client.entries.copyLocale.mutate({
          ...{ projectSlug, id, version, overwrite },
          ...{ fromLocale: from, toLocale: locale },
        }),
      );
      notify(t('beside.copied', { locale: localeName(from) }), editor.adopt(data));
      onClose();
    });
  return (
    <Dialog
      onClose={onClose}
      title={t('beside.copyTitle', { from: localeName(from), to: localeName(locale) })}
    >
      {extents.map((extent) => (
        <label className="choice" key={extent.text}>
          <input
            checked={overwrite === extent.overwrite}
            data-focus={overwrite === extent.overwrite ? true : undefined}
            name="copy-extent"
            onChange={() => setOverwrite(extent.overwrite)}
            type="radio"
          />
          {t(extent.text)}
        </label>
      ))}
      {failure !== undefined && (
        <p className="problem" role="alert">
          {failure.message}
        </p>
      )}
      <div className="actions">
        <button className="button" onClick={onClose} type="button">
          {t('app.cancel')}
        </button>
        <button className="button primary" disabled={isBusy} onClick={() => void copy()} type="button">
          {t('beside.copyRun')}
        </button>
      </div>
    </Dialog>
  );
}
