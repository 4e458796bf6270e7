import { limits } from '../../../../contracts/limits.js';
import { useProject } from '../../api/project-data.js';
import { formatTime, t } from '../../texts/index.js';
import { timeZones } from '../../ui/time-zone.js';
import { granularities } from '../period.js';
import {
  charts,
  fieldsOf,
  keysOf,
  keyText,
  sources,
  visibilities,
  type Draft,
  type Problems,
} from './definition.js';
import { FormField, FormGroup, OptionSelect } from './draft-fields.js';
import { MetricList } from './metric-list.js';
import { IconButton } from '../../ui/icon-button.js';

interface FilterListProps {
  readonly filters: Draft['filters'];
  /** Keys of the source. */
  readonly keys: readonly string[];
  readonly problems: Problems;
  readonly textOf: (key: string) => string;
  readonly onChange: (filters: Draft['filters']) => void;
}

/** Which values of a key are counted. */
function FilterList({ filters, keys, problems, textOf, onChange }: FilterListProps) {
  const free = keys.filter((key) => key !== 'date' && !filters.some((filter) => filter.key === key));
  const [next] = free;
  return (
    <FormGroup label={t('custom.filters')} name="filters" problems={problems}>
      {filters.map(({ key, values }, at) => (
        <div className="row tight" key={key}>
          <OptionSelect
            label={t('custom.filterKey', { number: at + 1 })}
            onChange={(other) => onChange(filters.with(at, { key: other, values: '' }))}
            options={[key, ...free]}
            textOf={textOf}
            value={key}
          />
          <input
            aria-label={t('custom.filterValues', { number: at + 1 })}
            className="input"
            onChange={({ target }) => onChange(filters.with(at, { key, values: target.value }))}
            placeholder={t('custom.valuesHint')}
            value={values}
          />
          <IconButton
            icon="close"
            label={t('field.remove')}
            onClick={() => onChange(filters.toSpliced(at, 1))}
          />
        </div>
      ))}
      {next !== undefined && filters.length < limits.customReportFilters && (
        <p>
          <button
            className="button"
            onClick={() => onChange([...filters, { key: next, values: '' }])}
            type="button"
          >
            {t('custom.addFilter')}
          </button>
        </p>
      )}
    </FormGroup>
  );
}

interface Props {
  readonly draft: Draft;
  readonly problems: Problems;
  readonly onChange: (draft: Draft) => void;
}

interface GroupsProps extends Props {
  readonly keys: readonly string[];
  readonly textOf: (key: string) => string;
}

function Groups({ draft, problems, onChange, keys, textOf: nameOf }: GroupsProps) {
  const [first = '', second = ''] = draft.groupBy;
  const change = (groups: string[]): void =>
    onChange({ ...draft, groupBy: groups.filter((key) => key !== '') });
  const textOf = (key: string): string => (key === '' ? t('field.none') : nameOf(key));
  return (
    <FormGroup label={t('custom.groupBy')} name="groupBy" problems={problems}>
      <div className="row tight">
        <OptionSelect
          label={t('custom.group', { number: 1 })}
          onChange={(key) => change([key, key === second ? '' : second])}
          options={['', ...keys]}
          textOf={textOf}
          value={first}
        />
        {first !== '' && (
          <OptionSelect
            label={t('custom.group', { number: 2 })}
            onChange={(key) => change([first, key])}
            options={['', ...keys.filter((key) => key !== first)]}
            textOf={textOf}
            value={second}
          />
        )}
      </div>
    </FormGroup>
  );
}

const timeText = (instant: string | undefined): string => (instant === undefined ? '…' : formatTime(instant));

function Range({ draft, problems, onChange }: Props) {
  return (
    <FormGroup label={t('custom.range')} name="range" problems={problems}>
      <div className="row">
        <input
          aria-label={t('custom.days')}
          className="input number"
          max={limits.reportDays}
          min={1}
          onChange={({ target }) => onChange({ ...draft, days: target.value })}
          placeholder={t('custom.noRange')}
          type="number"
          value={draft.days}
        />
        <div className="grow">
          <OptionSelect
            label={t('period.granularity')}
            onChange={(granularity) => onChange({ ...draft, granularity })}
            options={granularities}
            textOf={(one) => t(`period.by.${one}`)}
            value={draft.granularity}
          />
        </div>
        <div className="grow">
          <OptionSelect
            label={t('period.timezone')}
            onChange={(timezone) => onChange({ ...draft, timezone })}
            options={timeZones}
            textOf={(zone) => zone}
            value={draft.timezone}
          />
        </div>
      </div>
      {draft.fixed !== undefined && draft.days === '' && (
        <p className="row">
          <span className="hint">
            {t('custom.fixed', { from: timeText(draft.fixed.from), to: timeText(draft.fixed.to) })}
          </span>
          <button className="button" onClick={() => onChange({ ...draft, fixed: undefined })} type="button">
            {t('field.clear')}
          </button>
        </p>
      )}
    </FormGroup>
  );
}

function Texts({ draft, problems, onChange }: Props) {
  return (
    <>
      <FormField label={t('custom.name')} name="name" problems={problems}>
        <input
          className="input"
          data-focus
          onChange={({ target }) => onChange({ ...draft, name: target.value })}
          value={draft.name}
        />
      </FormField>
      <FormField label={t('custom.description')} name="description" problems={problems}>
        <input
          className="input"
          onChange={({ target }) => onChange({ ...draft, description: target.value })}
          value={draft.description}
        />
      </FormField>
    </>
  );
}

function Appearance({ draft, problems, onChange }: Props) {
  return (
    <>
      <FormField label={t('custom.chart')} name="chart" problems={problems}>
        <OptionSelect
          label={t('custom.chart')}
          onChange={(chart) => onChange({ ...draft, chart })}
          options={charts}
          textOf={(chart) => t(`custom.chart.${chart}`)}
          value={draft.chart}
        />
      </FormField>
      <FormField label={t('custom.visibility')} name="visibility" problems={problems}>
        <OptionSelect
          label={t('custom.visibility')}
          onChange={(visibility) => onChange({ ...draft, visibility })}
          options={visibilities}
          textOf={(one) => t(`custom.visibility.${one}`)}
          value={draft.visibility}
        />
      </FormField>
    </>
  );
}

/** Its choices are those of the contract. */
export function DefinitionForm({ draft, problems, onChange }: Props) {
  const fields = fieldsOf(useProject(), draft);
  const keys = [...keysOf(draft.source), ...fields.map(({ apiName }) => `fields.${apiName}`)];
  const numbers = fields
    .filter(({ type }) => type === 'number' || type === 'integer')
    .map(({ apiName }) => apiName);
  const textOf = (key: string): string => keyText(key, fields);
  const shared = { draft, problems, onChange };
  return (
    <div className="stack">
      <Texts {...shared} />
      <FormField label={t('custom.source')} name="source" problems={problems}>
        <OptionSelect
          label={t('custom.source')}
          onChange={(source) =>
            onChange({ ...draft, source, metrics: [{ op: 'count' }], groupBy: [], filters: [] })
          }
          options={sources}
          textOf={(source) => t(`custom.source.${source}`)}
          value={draft.source}
        />
      </FormField>
      <MetricList
        draft={draft}
        numberFields={numbers}
        textOf={textOf}
        onChange={(metrics) => onChange({ ...draft, metrics })}
        problems={problems}
      />
      <Groups {...shared} keys={keys} textOf={textOf} />
      <FilterList
        filters={draft.filters}
        keys={keys}
        textOf={textOf}
        onChange={(filters) => onChange({ ...draft, filters })}
        problems={problems}
      />
      <Range {...shared} />
      <Appearance {...shared} />
    </div>
  );
}
