import { useMemo, useRef, useState } from 'react';
import { api, client, queryClient } from '../../api/client.js';
import { useProject, type Entry } from '../../api/project-data.js';
import {
  CreationContext,
  useCreation,
  type Creation,
  type NewEntryDialogProps,
} from '../../fields/creation.js';
import { t } from '../../texts/index.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { notifyFailure } from '../../ui/toasts.js';
import { FieldForm } from '../field-form.js';
import { directionOf } from '../locales/direction.js';
import { usePlace } from '../place.js';
import { isSaveKey } from '../../ui/hooks.js';
import { useNewEntry } from './use-new-entry.js';

/** What was created for the fields of a new entry goes with it when that is canceled. */
function useCreatedInside() {
  const { slug: projectSlug } = useProject();
  const created = useRef<Entry[]>([]);
  const remove = async (): Promise<void> => {
    for (const { id } of created.current.splice(0))
      await client.entries.delete.mutate({ projectSlug, id }).catch(notifyFailure);
    void queryClient.invalidateQueries({ queryKey: api.entries.list.pathKey() });
  };
  return { add: (entry: Entry) => created.current.push(entry), remove };
}

interface ButtonsProps {
  readonly isBusy: boolean;
  readonly isAsking: boolean;
  readonly onCancel: () => void;
  readonly onDiscard: () => void;
  readonly onCreate: () => void;
  readonly onStay: () => void;
}

function Buttons({ isBusy, isAsking, onCancel, onDiscard, onCreate, onStay }: ButtonsProps) {
  if (isAsking)
    return (
      <div className="actions">
        <p className="grow" role="alert">
          {t('create.discard')}
        </p>
        <button autoFocus className="button primary" onClick={onStay} type="button">
          {t('entry.stay')}
        </button>
        <button className="button danger" onClick={onDiscard} type="button">
          {t('entry.leave')}
        </button>
      </div>
    );
  return (
    <DialogFooter
      disabled={isBusy}
      onCancel={onCancel}
      onRun={onCreate}
      run={t(isBusy ? 'entry.saving' : 'create.link')}
    />
  );
}

/** Creates the entry that a field refers to as a draft, without leaving the form of the field. */
function NewEntryDialog({ type, onCreated, onCancel }: NewEntryDialogProps) {
  const place = usePlace();
  const entry = useNewEntry(type, place);
  const { depth, onCreatedInside } = useCreation();
  const { add, remove } = useCreatedInside();
  const [isAsking, setIsAsking] = useState(false);
  const inside = useMemo(
    (): Creation => ({ Form: NewEntryDialog, depth: depth + 1, onCreatedInside: add }),
    [depth],
  );
  const create = async (): Promise<void> => {
    const created = await entry.create();
    if (created === undefined) return;
    onCreatedInside?.(created);
    onCreated(created);
  };
  const cancel = (): void => (entry.isDirty ? setIsAsking(true) : onCancel());
  const discard = (): void => {
    void remove();
    onCancel();
  };
  return (
    <CreationContext value={inside}>
      <Dialog isWide onClose={cancel} title={t('entry.new', { type: type.name })}>
        <div
          className="stack"
          dir={directionOf(place.locale)}
          onKeyDown={(event) => {
            if (!isSaveKey(event)) return;
            event.preventDefault();
            event.stopPropagation();
            if (!entry.isBusy) void create();
          }}
        >
          <FieldForm
            draft={entry.draft}
            idPrefix={`new-${String(depth)}`}
            isReadOnly={false}
            onChange={entry.change}
            problems={entry.problems}
            type={type}
          />
        </div>
        <Buttons
          isAsking={isAsking}
          isBusy={entry.isBusy}
          onCancel={cancel}
          onCreate={() => void create()}
          onDiscard={discard}
          onStay={() => setIsAsking(false)}
        />
      </Dialog>
    </CreationContext>
  );
}

/** For the form of an entry. */
export const firstCreation: Creation = { Form: NewEntryDialog, depth: 0 };
