import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { limits } from '../../../../contracts/limits.js';
import { api, client, queryClient } from '../../api/client.js';
import { projectQuery, useProject } from '../../api/project-data.js';
import { useCall } from '../../api/use-call.js';
import { t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import type { EntryEditor } from '../use-entry-editor.js';

interface Props {
  readonly editor: EntryEditor;
  readonly mayWrite: boolean;
  readonly onClose: () => void;
}

/** Creates a draft with the same content in every locale and opens it. */
export function DuplicateDialog({ editor, mayWrite, onClose }: Props) {
  const project = useProject();
  const navigate = useNavigate();
  const { isBusy, failure, run } = useCall();
  const [titleSuffix, setTitleSuffix] = useState(` ${t('duplicate.suffix')}`);
  const [deep, setDeep] = useState(false);
  const { saved, isDirty } = editor;
  const copy = () =>
    client.entries.duplicate.mutate({ projectSlug: project.slug, id: saved.id, titleSuffix, deep });
  const duplicate = (): Promise<void> =>
    run(async () => {
      const { data } = await (mayWrite ? editor.afterSave(copy) : copy());
      notify(t('duplicate.done'));
      void queryClient.invalidateQueries({ queryKey: api.entries.list.pathKey() });
      void queryClient.invalidateQueries(projectQuery(project.slug, project.environment));
      onClose();
      await navigate({
        to: '/$project/$environment/entries/$entry',
        params: { project: project.slug, environment: project.environment, entry: data.id },
        search: { locale: saved.locale },
      });
    });
  return (
    <Dialog onClose={onClose} title={t('duplicate.title')}>
      <label className="field">
        <span className="label">{t('duplicate.suffixLabel')}</span>
        <input
          className="input"
          data-focus
          maxLength={limits.titleSuffixLength}
          onChange={({ target }) => setTitleSuffix(target.value)}
          value={titleSuffix}
        />
      </label>
      <label className="row tight">
        <input checked={deep} onChange={({ target }) => setDeep(target.checked)} type="checkbox" />
        {t('duplicate.deep')}
      </label>
      {isDirty && mayWrite && <p className="hint">{t('duplicate.unsaved')}</p>}
      {failure !== undefined && (
        <p className="problem" role="alert">
          {failure.message}
        </p>
      )}
      <div className="actions">
        <button className="button" onClick={onClose} type="button">
          {t('app.cancel')}
        </button>
        <button className="button primary" disabled={isBusy} onClick={() => void duplicate()} type="button">
          {t('duplicate.run')}
        </button>
      </div>
    </Dialog>
  );
}
