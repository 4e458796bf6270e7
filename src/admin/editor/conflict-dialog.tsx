import { useState } from 'react';
import { useProject, type ContentType } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Dialog, DialogFooter } from '../ui/dialog.js';
import type { Conflict, ConflictingField } from './conflict.js';
import { pathText } from './path-text.js';
import type { EntryEditor } from './use-entry-editor.js';
import { ValueView } from './value-view.js';

interface Props {
  readonly conflict: Conflict;
  readonly editor: EntryEditor;
  readonly type: ContentType;
}

interface ChoiceProps {
  readonly label: string;
  readonly field: ConflictingField;
  readonly takesTheirs: boolean;
  readonly onChange: (takesTheirs: boolean) => void;
}

function Choice({ label, field: { field, yours, current, isRemoved }, takesTheirs, onChange }: ChoiceProps) {
  const options = [
    {
      isTheirs: false,
      text: t('conflict.mine'),
      value: isRemoved ? t('block.removed') : yours,
      other: current,
    },
    { isTheirs: true, text: t('conflict.theirs'), value: current, other: yours },
  ];
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      <div className="versus">
        {options.map(({ isTheirs, text, value, other }) => (
          <label className="choice" key={text}>
            <input
              checked={takesTheirs === isTheirs}
              name={field}
              onChange={() => onChange(isTheirs)}
              type="radio"
            />
            <span className="grow">
              <strong>{text}</strong>
              <ValueView other={other} value={value} />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Two people changed the same fields: a choice for each, then it is saved. */
export function ConflictDialog({ conflict, editor, type }: Props) {
  const [theirs, setTheirs] = useState<readonly string[]>([]);
  const project = useProject();
  const { draft } = editor;
  const nameOf = (path: string): string =>
    pathText({ project, type, known: [draft.now.fields, draft.base.fields] }, path);
  const { disputed, others, updatedBy, currentVersion } = conflict;
  return (
    <Dialog isWide onClose={editor.dropConflict} title={t('conflict.title')}>
      <p>{t('conflict.hint', { name: updatedBy, version: currentVersion })}</p>
      {disputed.map((one) => (
        <Choice
          field={one}
          key={one.field}
          label={nameOf(one.field)}
          onChange={(takes) =>
            setTheirs(takes ? [...theirs, one.field] : theirs.filter((field) => field !== one.field))
          }
          takesTheirs={theirs.includes(one.field)}
        />
      ))}
      {others.length > 0 && (
        <p className="soft">{t('conflict.others', { fields: others.map(nameOf).join(', ') })}</p>
      )}
      <DialogFooter
        disabled={editor.isBusy}
        onCancel={editor.dropConflict}
        onRun={() => editor.settle(theirs)}
        run={t('conflict.apply')}
      />
    </Dialog>
  );
}
