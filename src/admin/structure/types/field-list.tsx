import { useState } from 'react';
import { client } from '../../api/client.js';
import { useProject, type ContentType, type Field } from '../../api/project-data.js';
import { optionLabel } from '../../resources/labels.js';
import { t } from '../../texts/index.js';
import { IconButton } from '../../ui/icon-button.js';
import { Empty } from '../../ui/states.js';
import { notify } from '../../ui/toasts.js';
import { useCall } from '../../api/use-call.js';
import { refreshTypes } from './type-form.js';

export type FieldTask = 'edit' | 'rename' | 'delete';

interface Props {
  readonly type: ContentType;
  readonly onTask: (task: FieldTask, field: Field) => void;
}

const marks = ['required', 'unique', 'localized', 'isList', 'hidden', 'deprecated'] as const;

/** Fields in the order of the form; they are moved by dragging and by buttons. */
export function FieldList({ type, onTask }: Props) {
  const { slug: projectSlug, may } = useProject();
  const [dragged, setDragged] = useState<Field>();
  const { isBusy, failure, run } = useCall();
  const canChange = may('fields.update');
  const move = (field: Field, position: number): Promise<void> =>
    run(async () => {
      const place = { projectSlug, contentTypeApiName: type.apiName, fieldApiName: field.apiName };
      await client.fields.update.mutate({ ...place, position });
      await refreshTypes();
      notify(t('fields.moved', { name: field.name, place: position + 1 }));
    });
  if (type.fields.length === 0) return <Empty title={t('fields.none')} />;
  return (
    <>
      {failure !== undefined && (
        <p className="problem" role="alert">
          {failure.message}
        </p>
      )}
      <ol aria-label={t('fields.title')} className="field-list">
        {type.fields.map((field, index) => (
          <li
            className="field-item"
            draggable={canChange}
            key={field.id}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => {
              if (dragged !== undefined && dragged.id !== field.id) event.preventDefault();
            }}
            onDragStart={(event) => {
              event.dataTransfer.setData('text/plain', field.name);
              setDragged(field);
            }}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== undefined) void move(dragged, index);
            }}
          >
            <span className="grow">
              <strong>{field.name}</strong> <span className="code soft">{field.apiName}</span>
            </span>
            <span className="badge">{optionLabel('fieldKind', field.type)}</span>
            {marks
              .filter((mark) => field[mark])
              .map((mark) => (
                <span className="badge wide-only" key={mark}>
                  {t(`fields.mark.${mark}`)}
                </span>
              ))}
            {canChange && (
              <span className="row tight">
                <IconButton
                  disabled={isBusy || index === 0}
                  icon="up"
                  label={`${t('field.up')}: ${field.name}`}
                  onClick={() => void move(field, index - 1)}
                />
                <IconButton
                  disabled={isBusy || index === type.fields.length - 1}
                  icon="down"
                  label={`${t('field.down')}: ${field.name}`}
                  onClick={() => void move(field, index + 1)}
                />
                <FieldButtons field={field} onTask={onTask} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

function FieldButtons({ field, onTask }: Pick<Props, 'onTask'> & { readonly field: Field }) {
  const { may } = useProject();
  const { name } = field;
  return (
    <>
      <IconButton icon="edit" label={t('fields.edit', { name })} onClick={() => onTask('edit', field)} />
      {may('fields.rename') && (
        <IconButton icon="type" label={t('types.rename', { name })} onClick={() => onTask('rename', field)} />
      )}
      {may('fields.delete') && (
        <IconButton
          icon="trash"
          label={t('types.delete', { name })}
          onClick={() => onTask('delete', field)}
        />
      )}
    </>
  );
}
