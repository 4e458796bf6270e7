import { limits } from '../../../../contracts/limits.js';
import { t } from '../../texts/index.js';
import { IconButton } from '../../ui/icon-button.js';
import type { Draft, Problems } from './definition.js';
import { FormGroup, OptionSelect } from './draft-fields.js';

interface Props {
  readonly filters: Draft['filters'];
  /** Keys of the source. */
  readonly keys: readonly string[];
  readonly problems: Problems;
  readonly textOf: (key: string) => string;
  readonly onChange: (filters: Draft['filters']) => void;
}

/** Which values of a key are counted. */
export function FilterList({ filters, keys, problems, textOf, onChange }: Props) {
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
