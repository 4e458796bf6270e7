import type { FieldTest } from '../../../../contracts/content/fields/field-conditions.js';
import type { Field } from '../../api/project-data.js';
import type { PropertyControlProps } from '../../resources/control-props.js';
import { t } from '../../texts/index.js';
import { Icon } from '../../ui/icon.js';
import { IconButton } from '../../ui/icon-button.js';

const comparisons = ['eq', 'ne', 'in', 'exists', 'absent'] as const;
type Comparison = (typeof comparisons)[number];
type Value = NonNullable<FieldTest['eq']>;

/** Kinds whose values can be compared; others are tested for having one. */
const comparable = [
  'text',
  'longText',
  'slug',
  'select',
  'boolean',
  'integer',
  'number',
  'url',
  'email',
  'color',
];

const comparisonOf = ({ ne, in: any, exists }: FieldTest): Comparison => {
  if (exists !== undefined) return exists ? 'exists' : 'absent';
  if (any !== undefined) return 'in';
  return ne === undefined ? 'eq' : 'ne';
};

const valuesOf = ({ eq, ne, in: any = [] }: FieldTest): readonly Value[] =>
  [eq, ne, ...any].filter((value) => value !== undefined);

function testOf(field: Field, comparison: Comparison, values: readonly Value[]): FieldTest {
  const { apiName } = field;
  if (comparison === 'exists' || comparison === 'absent')
    return { field: apiName, exists: comparison === 'exists' };
  if (comparison === 'in') return { field: apiName, in: [...values] };
  return { field: apiName, [comparison]: values[0] ?? (field.type === 'boolean' ? true : '') };
}

interface Option {
  readonly value: string;
  readonly label?: string | undefined;
}

const optionsOf = ({ type, settings }: Field): readonly Option[] | undefined => {
  if (type === 'select') return (settings as { readonly options?: readonly Option[] }).options ?? [];
  const answers = [
    { value: 'true', label: t('resource.yes') },
    { value: 'false', label: t('resource.no') },
  ];
  return type === 'boolean' ? answers : undefined;
};

function read(field: Field, text: string): Value {
  if (field.type === 'boolean') return text === 'true';
  const number = Number(text);
  const isNumber = field.type === 'integer' || field.type === 'number';
  return isNumber && text.trim() !== '' && Number.isFinite(number) ? number : text;
}

interface ValueProps {
  readonly field: Field;
  readonly test: FieldTest;
  readonly isReadOnly: boolean;
  readonly onChange: (values: readonly Value[]) => void;
}

/** One value, or several that commas separate. */
function ValueInput({ field, test, isReadOnly, onChange }: ValueProps) {
  const comparison = comparisonOf(test);
  const options = optionsOf(field);
  const values = valuesOf(test);
  const label = t('conditions.value', { field: field.name });
  if (options !== undefined && comparison !== 'in')
    return (
      <select
        aria-label={label}
        className="select compact"
        disabled={isReadOnly}
        onChange={({ target }) => onChange([read(field, target.value)])}
        value={String(values[0] ?? '')}
      >
        {values[0] === '' && <option value="" />}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label ?? option.value}
          </option>
        ))}
      </select>
    );
  const several = (text: string): Value[] => text.split(',').map((part) => read(field, part.trim()));
  return (
    <input
      aria-label={label}
      className="input compact"
      onChange={({ target }) =>
        onChange(comparison === 'in' ? several(target.value) : [read(field, target.value)])
      }
      placeholder={comparison === 'in' ? t('conditions.several') : undefined}
      readOnly={isReadOnly}
      value={values.join(comparison === 'in' ? ', ' : '')}
    />
  );
}

interface RowProps {
  readonly test: FieldTest;
  readonly fields: readonly Field[];
  readonly isReadOnly: boolean;
  readonly onChange: (test: FieldTest) => void;
  readonly onRemove: () => void;
}

function TestRow({ test, fields, isReadOnly, onChange, onRemove }: RowProps) {
  const field = fields.find(({ apiName }) => apiName === test.field);
  const comparison = comparisonOf(test);
  const possible = comparisons.filter(
    (name) => name === 'exists' || name === 'absent' || comparable.includes(field?.type ?? ''),
  );
  const start = (next: Field): FieldTest =>
    testOf(next, comparable.includes(next.type) ? 'eq' : 'exists', []);
  return (
    <div className="row">
      <select
        aria-label={t('conditions.field')}
        className="select compact"
        disabled={isReadOnly}
        onChange={({ target }) => {
          const next = fields.find(({ apiName }) => apiName === target.value);
          if (next !== undefined) onChange(start(next));
        }}
        value={test.field}
      >
        {fields.map(({ apiName, name }) => (
          <option key={apiName} value={apiName}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={t('conditions.comparison')}
        className="select compact"
        disabled={isReadOnly || field === undefined}
        onChange={({ target }) => {
          if (field !== undefined) onChange(testOf(field, target.value as Comparison, valuesOf(test)));
        }}
        value={comparison}
      >
        {possible.map((name) => (
          <option key={name} value={name}>
            {t(`conditions.${name}`)}
          </option>
        ))}
      </select>
      {field !== undefined && test.exists === undefined && (
        <ValueInput
          field={field}
          isReadOnly={isReadOnly}
          onChange={(values) => onChange(testOf(field, comparison, values))}
          test={test}
        />
      )}
      {!isReadOnly && <IconButton icon="close" label={t('conditions.remove')} onClick={onRemove} />}
    </div>
  );
}

interface Props extends PropertyControlProps {
  /** Those of the type besides the one whose condition it is. */
  readonly others: readonly Field[];
}

/** What other fields must be, all of it, for a field to be visible or required. */
export function ConditionEditor({ value, others, isReadOnly, onChange }: Props) {
  const tests = Array.isArray(value) ? (value as FieldTest[]) : [];
  const [first] = others;
  const change = (next: FieldTest[]): void => onChange(next.length > 0 ? next : undefined);
  if (first === undefined) return <p className="soft">{t('conditions.noFields')}</p>;
  return (
    <div className="stack">
      {tests.map((test, index) => (
        <TestRow
          fields={others}
          isReadOnly={isReadOnly}
          key={index}
          onChange={(changed) => change(tests.with(index, changed))}
          onRemove={() => change(tests.toSpliced(index, 1))}
          test={test}
        />
      ))}
      {!isReadOnly && (
        <div>
          <button
            className="button"
            onClick={() =>
              change([...tests, testOf(first, comparable.includes(first.type) ? 'eq' : 'exists', [])])
            }
            type="button"
          >
            <Icon name="add" />
            {t('conditions.add')}
          </button>
        </div>
      )}
    </div>
  );
}
