import { useState } from 'react';
import type { ContentType, Field } from '../api/project-data.js';
import { optionsOf } from '../fields/kinds.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { IconButton } from '../ui/icon-button.js';
import { columnFields } from './columns.js';
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

const yesOrNo = (): { value: string; label: string }[] => [
  { value: 'true', label: t('resource.yes') },
  { value: 'false', label: t('resource.no') },
];

const choicesOf = (field: Field) => (field.type === 'boolean' ? yesOrNo() : optionsOf(field));

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

function FilterForm({ fields, onAdd }: FormProps) {
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

/** Such as "Length: at least 12". */
function filterText(field: Field, { comparison, value }: FieldFilter): string {
  const shown = choicesOf(field).find((one) => one.value === value)?.label ?? value;
  const day = field.type === 'dateTime' && value !== '' ? new Date(value).toLocaleDateString() : shown;
  return `${field.name}: ${t(`list.filter.${comparison}`)} ${day}`.trim();
}

interface Props {
  readonly type: ContentType;
  readonly filters: readonly FieldFilter[];
  readonly onChange: (filters: readonly FieldFilter[]) => void;
}

/** Filters by fields of the type: those that apply, each with a button that removes it, and one more. */
export function FieldFilters({ type, filters, onChange }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const title = type.fields.filter(({ type: kind, isList }) => kind === 'text' && !isList).slice(0, 1);
  const fields = [...new Set([...title, ...columnFields(type)])];
  if (fields.length === 0) return null;
  return (
    <>
      <button className="button" onClick={() => setIsOpen(true)} type="button">
        <Icon name="add" />
        {t('list.filterBy')}
      </button>
      {filters.map((filter, index) => {
        const field = type.fields.find(({ apiName }) => apiName === filter.field);
        const text = field === undefined ? filter.field : filterText(field, filter);
        return (
          <span className="badge filter-chip" key={JSON.stringify(filter)}>
            <span className="clip">{text}</span>
            <IconButton
              icon="close"
              label={t('list.filterRemove', { filter: text })}
              onClick={() => onChange(filters.toSpliced(index, 1))}
            />
          </span>
        );
      })}
      {isOpen && (
        <Dialog onClose={() => setIsOpen(false)} title={t('list.filterBy')}>
          <FilterForm
            fields={fields}
            onAdd={(filter) => {
              onChange([...filters, filter]);
              setIsOpen(false);
            }}
          />
        </Dialog>
      )}
    </>
  );
}
