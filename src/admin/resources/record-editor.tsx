import type { ReactNode } from 'react';
import type { ControlProps } from '../fields/field-editor.js';
import { ListEditor } from '../fields/list-editor.js';
import { t } from '../texts/index.js';
import { useRecordRows, type RecordRow } from './use-record-rows.js';

interface Props extends ControlProps {
  /** Shows the control of a value. */
  readonly item: (props: ControlProps) => ReactNode;
}

/** Names with values of one kind, such as the prices by currency. */
export function RecordEditor({ item, value, onChange, ...props }: Props) {
  const [rows, change] = useRecordRows(value, onChange);
  return (
    <ListEditor
      {...props}
      item={(one) => {
        const [name = '', held = null] = (one.value ?? []) as Partial<RecordRow>;
        return (
          <div className="row">
            <input
              aria-label={t('form.name', { field: one.label })}
              className="input grow"
              id={one.id}
              onChange={({ target }) => one.onChange([target.value, held])}
              readOnly={one.isReadOnly}
              value={name}
            />
            <div aria-label={t('form.value', { field: one.label })} className="grow" role="group">
              {item({
                ...one,
                id: `${one.id}-value`,
                label: t('form.value', { field: one.label }),
                onChange: (next) => one.onChange([name, next]),
                value: held,
              })}
            </div>
          </div>
        );
      }}
      onChange={(next) => change((next ?? []) as (RecordRow | null)[])}
      value={rows}
    />
  );
}
