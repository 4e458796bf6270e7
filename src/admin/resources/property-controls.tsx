import type { z } from 'zod';
import { JsonEditor } from '../fields/json-editor.js';
import { BooleanEditor } from '../fields/choice-editors.js';
import { controlOf, type ControlProps } from '../fields/field-editor.js';
import { ListEditor } from '../fields/list-editor.js';
import { DateTimeEditor, NumberEditor } from '../fields/number-editors.js';
import { DateEditor, EmailEditor, LongTextEditor, TextEditor, UrlEditor } from '../fields/text-editors.js';
import { t } from '../texts/index.js';
import type { PropertyControlProps } from './control-props.js';
import type { Values } from './form-input.js';
import { optionLabel } from './labels.js';
import { OptionChecks } from './option-checks.js';
import { isLongText, optionsOf, propertiesOf, propertyOf, unwrapped, type Property } from './property.js';
import { type ReactNode, useState } from 'react';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';

type RecordRow = readonly [name: string, value: unknown];

/** Rows without a name are not part of the value yet. */
const recordOf = (rows: readonly (RecordRow | null)[]): Record<string, unknown> =>
  Object.fromEntries(rows.filter((row): row is RecordRow => row !== null && row[0] !== ''));

/** The rows of a record as they are typed: two may have the same name for a while, or none. */
function useRecordRows(
  value: unknown,
  onChange: (value: unknown) => void,
): [rows: readonly (RecordRow | null)[], change: (rows: readonly (RecordRow | null)[]) => void] {
  const record = (value ?? {}) as Record<string, unknown>;
  const [rows, setRows] = useState<readonly (RecordRow | null)[]>(() => Object.entries(record));
  const isCurrent = isEqualJson(recordOf(rows), record);
  const shown = isCurrent ? rows : Object.entries(record);
  return [
    shown,
    (next) => {
      setRows(next);
      onChange(recordOf(next));
    },
  ];
}

interface Props extends ControlProps {
  /** Shows the control of a value. */
  readonly item: (props: ControlProps) => ReactNode;
}

/** Names with values of one kind, such as the prices by currency. */
function RecordEditor({ item, value, onChange, ...props }: Props) {
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

/** Whether the values of a record have a shape; others are typed as JSON. */
const hasShape = (valueType: z.ZodType | undefined): boolean =>
  valueType !== undefined && unwrapped(valueType).type !== 'unknown';

/** Controls that are several elements, which are a group with the label as its name. */
export const isGroup = ({ definition: { type, valueType } }: Property): boolean =>
  type === 'array' || type === 'object' || (type === 'record' && hasShape(valueType));

function SelectControl({ property, ...props }: PropertyControlProps) {
  const options = optionsOf(property.definition) ?? [];
  const canBeNone = property.isNullable || !options.some((option) => option === props.value);
  return (
    <select
      {...controlOf(props)}
      className="select"
      disabled={props.isReadOnly}
      onChange={({ target }) => props.onChange(options.find((one) => String(one) === target.value) ?? null)}
      value={typeof props.value === 'string' || typeof props.value === 'number' ? String(props.value) : ''}
    >
      {canBeNone && <option value="">{property.isNullable ? t('field.none') : '–'}</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {optionLabel(property.key, option)}
        </option>
      ))}
    </select>
  );
}

function ArrayControl(props: PropertyControlProps) {
  const { property } = props;
  const { element } = property.definition;
  if (element === undefined) return <JsonEditor {...props} />;
  const item = propertyOf(property.key, element);
  const options = optionsOf(item.definition);
  if (options !== undefined)
    return (
      <OptionChecks
        {...props}
        options={options.map((value) => ({ value, label: optionLabel(property.key, value) }))}
      />
    );
  return <ListEditor {...props} item={(one) => <PropertyControl {...props} {...one} property={item} />} />;
}

/** The properties of an object, below the label of the object. */
function ObjectControl({ property, resource, path, editors, row: Row, ...props }: PropertyControlProps) {
  const value = (props.value ?? {}) as Values;
  return (
    <div className="group">
      {propertiesOf(property.definition.shape ?? {}).map((part) => (
        <Row
          editors={editors}
          idPrefix={props.id}
          isReadOnly={props.isReadOnly}
          key={part.key}
          messages={[]}
          onChange={(next) => props.onChange({ ...value, [part.key]: next })}
          pathPrefix={`${path}.`}
          property={part}
          resource={resource}
          value={value[part.key]}
        />
      ))}
    </div>
  );
}

function StringControl({ property, ...props }: PropertyControlProps) {
  const { format } = property.definition;
  if (format === 'datetime') return <DateTimeEditor {...props} />;
  if (format === 'date') return <DateEditor {...props} />;
  if (format === 'email') return <EmailEditor {...props} />;
  if (format === 'url') return <UrlEditor {...props} />;
  return isLongText(property) ? <LongTextEditor {...props} /> : <TextEditor {...props} />;
}

/** The control that the shape of a property asks for. */
export function PropertyControl(props: PropertyControlProps) {
  const { property } = props;
  switch (property.definition.type) {
    case 'string':
      return <StringControl {...props} />;
    case 'number':
      return <NumberEditor {...props} />;
    case 'boolean':
      return <BooleanEditor {...props} />;
    case 'enum':
    case 'literal':
      return <SelectControl {...props} />;
    case 'array':
      return <ArrayControl {...props} />;
    case 'object':
      return <ObjectControl {...props} />;
    case 'record': {
      const { valueType } = property.definition;
      const item = valueType && propertyOf(property.key, valueType);
      return item === undefined || item.definition.type === 'unknown' ? (
        <JsonEditor {...props} />
      ) : (
        <RecordEditor {...props} item={(one) => <PropertyControl {...props} {...one} property={item} />} />
      );
    }
    default:
      return <JsonEditor {...props} />;
  }
}
