import { useState } from 'react';
import type { Field } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { choicesOf } from './columns.js';
import { comparisons, type Comparison, type FieldFilter } from './list-search.js';

const ordered: ReadonlySet<string> = new Set(['integer', 'number', 'date', 'dateTime']);
const presence: readonly Comparison[] = ['exists', 'missing'];

/** What a field can be compared by. */
function comparisonsOf({ type }: Field): readonly Comparison[] {
  if (type === 'boolean') return ['eq', 'ne'];
  if (ordered.has(type)) return ['gte', 'lte', 'eq', ...presence];
  if (type === 'select') return ['eq', 'ne', ...presence];
  return ['contains', 'eq', 'ne', ...presence];
}

const needsValue = (comparison: Comparison): boolean => !presence.includes(comparison);

/** Types of inputs whose values the service reads. */
const inputs: Readonly<Record<string, string>> = {
  date: 'date',
  dateTime: 'date',
  integer: 'number',
  number: 'number',
};

/** A moment of the day in this browser: the first for the start of a range, the last for its end. */
const instantOf = (day: string, comparison: Comparison): string =>
  new Date(`${day}T${comparison === 'lte' ? '23:59:59.999' : '00:00:00'}`).toISOString();

interface ValueProps {
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ValueRow({ field, value, onChange }: ValueProps) {
  const choices = choicesOf(field);
  return (
    <label className="field">
      <span className="label">{t('list.filterValue')}</span>
      {choices.length > 0 ? (
        <select className="select" onChange={({ target }) => onChange(target.value)} value={value}>
          <option value="">{t('field.none')}</option>
          {choices.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label ?? one.value}
            </option>
          ))}
        </select>
      ) : (
        <input
          className="input"
          maxLength={500}
          onChange={({ target }) => onChange(target.value)}
          step="any"
          type={inputs[field.type] ?? 'text'}
          value={value}
        />
      )}
    </label>
  );
}

interface FormProps {
  readonly fields: readonly Field[];
  readonly onAdd: (filter: FieldFilter) => void;
}

export function FilterForm({ fields, onAdd }: FormProps) {
  const [name, setName] = useState(fields[0]?.apiName ?? '');
  const field = fields.find(({ apiName }) => apiName === name);
  const possible =
    field === undefined
      ? []
      : comparisonsOf(field).filter((one) => one !== 'eq' || field.type !== 'dateTime');
  const [chosen, setChosen] = useState<Comparison>();
  const comparison = possible.find((one) => one === chosen) ?? possible[0];
  const [value, setValue] = useState('');
  if (field === undefined || comparison === undefined) return null;
  const isComplete = !needsValue(comparison) || value !== '';
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isComplete) return;
        const compared =
          field.type === 'dateTime' && needsValue(comparison) ? instantOf(value, comparison) : value;
        onAdd({ field: name, comparison, value: needsValue(comparison) ? compared : '' });
      }}
    >
      <label className="field">
        <span className="label">{t('list.filterField')}</span>
        <select
          className="select"
          data-focus
          onChange={({ target }) => {
            setName(target.value);
            setValue('');
          }}
          value={name}
        >
          {fields.map((one) => (
            <option key={one.apiName} value={one.apiName}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="label">{t('list.filterHow')}</span>
        <select
          className="select"
          onChange={({ target }) => setChosen(comparisons.find((one) => one === target.value))}
          value={comparison}
        >
          {possible.map((one) => (
            <option key={one} value={one}>
              {t(`list.filter.${one}`)}
            </option>
          ))}
        </select>
      </label>
      {needsValue(comparison) && <ValueRow field={field} onChange={setValue} value={value} />}
      <p className="row">
        <button className="button primary" disabled={!isComplete} type="submit">
          {t('list.filterAdd')}
        </button>
      </p>
    </form>
  );
}
