import { useProject } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Choice } from '../ui/choice.js';
import { SearchBox } from '../ui/search-box.js';
import { inputOf, type Contract } from './contract.js';
import { labelOf, optionLabel } from './labels.js';
import { optionsOf, unwrapped, type Shape } from './property.js';
import type { FilterOption, ResourceConfig } from './resource-config.js';
import type { ResourceSearch } from './resource-search.js';
import { ordersOf } from './use-resource-list.js';

interface Props {
  readonly resource: Pick<ResourceConfig<never>, 'name' | 'filters' | 'filterOptions'>;
  readonly contract: Contract;
  readonly search: ResourceSearch;
  readonly onChange: (search: ResourceSearch) => void;
}

function contractOptions(contract: Contract, key: string): readonly FilterOption[] {
  const schema = (inputOf(contract).shape as Shape)[key];
  if (schema === undefined) return [];
  const outer = unwrapped(schema);
  const definition = outer.element === undefined ? outer : unwrapped(outer.element);
  if (definition.type === 'boolean')
    return [
      { value: 'true', label: t('resource.yes') },
      { value: 'false', label: t('resource.no') },
    ];
  return (optionsOf(definition) ?? []).map((one) => ({
    value: String(one),
    label: optionLabel(key, one),
  }));
}

/** `name:asc` becomes "Name, ascending". */
function orderLabel(resource: string, order: string): string {
  const [key = '', direction] = order.split(':');
  return `${labelOf(resource, key)} ${direction === 'asc' ? '↑' : '↓'}`;
}

export function ResourceFilters({ resource, contract, search, onChange }: Props) {
  const { name, filters = [], filterOptions = {} } = resource;
  const project = useProject();
  const shown = filters.flatMap((key) => {
    const options = filterOptions[key]?.(project);
    if (options === undefined) return [{ key, options: contractOptions(contract, key) }];
    return options.length > 1 ? [{ key, options }] : [];
  });
  const orders = ordersOf(contract);
  const hasSearch = 'q' in inputOf(contract).shape;
  if (!hasSearch && shown.length === 0 && orders.length === 0) return null;
  const change = (next: ResourceSearch): void => onChange({ ...search, page: undefined, ...next });
  return (
    <div className="filters row">
      {hasSearch && <SearchBox label={t('pick.search')} onChange={(q) => change({ q })} value={search.q} />}
      {shown.map(({ key, options }) => (
        <Choice
          key={key}
          label={labelOf(name, key)}
          onChange={(value) => {
            const { [key]: _, ...others } = search.filters ?? {};
            change({ filters: value === undefined ? others : { ...others, [key]: value } });
          }}
          value={search.filters?.[key]}
        >
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Choice>
      ))}
      {orders.length > 0 && (
        <select
          aria-label={t('resource.order')}
          className="select compact"
          onChange={({ target }) => change({ orderBy: target.value || undefined })}
          value={search.orderBy ?? ''}
        >
          <option value="">{t('resource.order')}</option>
          {orders.map((order) => (
            <option key={order} value={order}>
              {orderLabel(name, order)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
