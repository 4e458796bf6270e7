import { Suspense } from 'react';
import type { Field } from '../api/project-data.js';
import { t } from '../texts/index.js';
import type { FieldRowProps } from './field-editor.js';
import { ListEditor } from './list-editor.js';
import { editorOf } from './registry.js';

function Marks({ field }: { readonly field: Field }) {
  return (
    <>
      {field.required && <span className="mark">{t('entry.required')}</span>}
      {!field.localized && <span className="mark">{t('entry.shared')}</span>}
      {field.deprecated && <span className="mark">{t('entry.deprecated')}</span>}
    </>
  );
}

/** Label, control, description and messages of one field. */
export function FieldRow({
  field,
  value,
  messages,
  isReadOnly,
  idPrefix = 'field',
  onChange,
}: FieldRowProps) {
  const id = `${idPrefix}-${field.apiName}`;
  const { editor: Editor, list, isGroup = false } = editorOf(field.type);
  const isListed = field.isList && list === undefined;
  const Control = field.isList ? (list ?? Editor) : Editor;
  const props = {
    ...{ id, field, value, isReadOnly, onChange },
    label: field.name,
    row: FieldRow,
    isInvalid: messages.length > 0,
    describedBy: `${id}-note`,
  };
  const isGrouped = isGroup || field.isList;
  const label = (
    <>
      {field.name} <Marks field={field} />
    </>
  );
  return (
    <div
      aria-describedby={isGrouped ? `${id}-note` : undefined}
      aria-labelledby={isGrouped ? `${id}-label` : undefined}
      className="field"
      role={isGrouped ? 'group' : undefined}
    >
      {isGrouped ? (
        <span className="label" id={`${id}-label`}>
          {label}
        </span>
      ) : (
        <label className="label" htmlFor={id}>
          {label}
        </label>
      )}
      <Suspense fallback={<p className="soft">{t('app.loading')}</p>}>
        {isListed ? (
          <ListEditor {...props} item={(item) => <Editor {...props} {...item} />} />
        ) : (
          <Control {...props} />
        )}
      </Suspense>
      <div id={`${id}-note`}>
        {field.description !== null && <p className="hint">{field.description}</p>}
        {messages.map((message) => (
          <p className="problem" key={message}>
            {message}
          </p>
        ))}
      </div>
    </div>
  );
}
