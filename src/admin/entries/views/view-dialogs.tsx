import { useState, useId, type ReactNode } from 'react';
import { client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { ActionButton } from '../../ui/action-button.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import { refreshViews } from './use-views.js';
import type { SavedView, ViewSettings } from './view-settings.js';
import { useCall } from '../../api/use-call.js';

type ViewName = Pick<SavedView, 'name' | 'visibility'>;

interface Props {
  readonly start: ViewName;
  readonly submitLabel: string;
  readonly onSubmit: (view: ViewName) => Promise<void>;
  /** Beside the button. */
  readonly children?: ReactNode;
}

const visibilities = ['private', 'shared'] as const;

/** Name and visibility of a view. */
function ViewForm({ start, submitLabel, onSubmit, children }: Props) {
  const id = useId();
  const [name, setName] = useState(start.name);
  const [visibility, setVisibility] = useState(start.visibility);
  const { isBusy, failure, run } = useCall();
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void run(() => onSubmit({ name: name.trim(), visibility }));
      }}
    >
      <div className="field">
        <label className="label" htmlFor={id}>
          {t('views.name')}
        </label>
        <input
          className="input"
          data-focus
          dir="auto"
          id={id}
          maxLength={200}
          onChange={({ target }) => setName(target.value)}
          required
          value={name}
        />
      </div>
      <fieldset className="field">
        <legend className="label">{t('views.visibility')}</legend>
        {visibilities.map((one) => (
          <label className="row" key={one}>
            <input
              checked={visibility === one}
              name={`${id}-visibility`}
              onChange={() => setVisibility(one)}
              type="radio"
            />
            {t(`views.${one}`)}
          </label>
        ))}
      </fieldset>
      <DialogFooter disabled={isBusy || name.trim() === ''} refusal={failure?.problem} run={submitLabel}>
        {children}
      </DialogFooter>
    </form>
  );
}

interface NewProps {
  readonly settings: ViewSettings;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

/** Saves what the list shows under a name. */
export function NewViewDialog({ settings, onClose, onSaved }: NewProps) {
  const { slug: projectSlug } = useProject();
  return (
    <Dialog onClose={onClose} title={t('views.new')}>
      <p className="soft">{t('views.newHint')}</p>
      <ViewForm
        onSubmit={async (name) => {
          const { data } = await client.views.create.mutate({
            projectSlug,
            resource: 'entries',
            ...settings,
            ...name,
          });
          await refreshViews();
          notify(t('views.saved', { name: data.name }));
          onSaved(data.id);
        }}
        start={{ name: '', visibility: 'private' }}
        submitLabel={t('views.save')}
      />
    </Dialog>
  );
}

interface EditProps {
  readonly view: SavedView;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeleteView({ view: { id, name }, onClose, onDeleted }: EditProps) {
  const { slug: projectSlug } = useProject();
  return (
    <>
      <p>{t('views.deleteHint')}</p>
      <div className="actions">
        <button className="button" data-focus onClick={onClose} type="button">
          {t('app.cancel')}
        </button>
        <ActionButton
          label={t('views.deleteNow')}
          run={async () => {
            await client.views.delete.mutate({ projectSlug, id });
            notify(t('resource.deleted', { name }));
            onDeleted();
            await refreshViews();
          }}
        />
      </div>
    </>
  );
}

/** Renames, shares or deletes a view of the user. */
export function EditViewDialog({ view, onClose, onDeleted }: EditProps) {
  const { slug: projectSlug, may } = useProject();
  const [isDeleting, setIsDeleting] = useState(false);
  const { id, name, visibility } = view;
  if (isDeleting)
    return (
      <Dialog key="delete" onClose={onClose} title={t('views.deleteTitle', { name })}>
        <DeleteView onClose={() => setIsDeleting(false)} onDeleted={onDeleted} view={view} />
      </Dialog>
    );
  return (
    <Dialog key="edit" onClose={onClose} title={t('views.edit')}>
      <ViewForm
        onSubmit={async (changes) => {
          await client.views.update.mutate({ projectSlug, id, ...changes });
          await refreshViews();
          notify(t('resource.saved'));
          onClose();
        }}
        start={{ name, visibility }}
        submitLabel={t('resource.save')}
      >
        {may('views.delete') && (
          <button className="button danger" onClick={() => setIsDeleting(true)} type="button">
            {t('resource.delete')}
          </button>
        )}
      </ViewForm>
    </Dialog>
  );
}
