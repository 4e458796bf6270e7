import { useQuery } from '@tanstack/react-query';
import { client, type Outputs } from '../api/client.js';
import { everyItem, PAGE_SIZE } from '../api/every-item.js';
import { useProject } from '../api/project-data.js';
import { controlOf } from '../fields/field-editor.js';
import type { PropertyControlProps } from '../resources/control-props.js';
import { OptionChecks } from '../resources/option-checks.js';
import { localeName, t } from '../texts/index.js';
import { DataTable, type Column } from '../ui/data-table.js';
import { Loaded } from '../ui/states.js';

type Locale = Outputs['locales']['list']['data'][number];

/** Locales of the tenant, with what is served where one is missing. */
function useLocales() {
  const { slug: projectSlug } = useProject();
  return useQuery({
    queryKey: [['locales'], projectSlug],
    queryFn: () => everyItem((page) => client.locales.list.query({ projectSlug, page, limit: PAGE_SIZE })),
  });
}

export function LocaleChecks(props: PropertyControlProps) {
  return (
    <Loaded query={useLocales()}>
      {(all) => (
        <OptionChecks
          {...props}
          options={all.map(({ code }) => ({ value: code, label: localeName(code) }))}
        />
      )}
    </Loaded>
  );
}

export function LocaleChoice(props: PropertyControlProps) {
  return (
    <Loaded query={useLocales()}>
      {(all) => (
        <select
          {...controlOf(props)}
          className="select"
          disabled={props.isReadOnly}
          onChange={({ target }) => props.onChange(target.value || null)}
          value={typeof props.value === 'string' ? props.value : ''}
        >
          <option value="">{t('field.none')}</option>
          {all.map(({ code }) => (
            <option key={code} value={code}>
              {localeName(code)}
            </option>
          ))}
        </select>
      )}
    </Loaded>
  );
}

const columns = (): Column<Locale>[] => [
  { key: 'code', label: t('locales.locale'), cell: ({ code }) => localeName(code) },
  {
    key: 'fallback',
    label: t('locales.fallback'),
    cell: ({ fallbackCode }) => (fallbackCode === null ? '–' : localeName(fallbackCode)),
  },
  {
    key: 'state',
    label: t('locales.state'),
    cell: ({ isDefault, isActive }) =>
      isDefault ? t('locales.default') : t(isActive ? 'locales.active' : 'locales.inactive'),
  },
];

/** The locales that sites choose from; the tenant has them. */
export function LocaleTable() {
  return (
    <section aria-labelledby="locales-title" className="screen-part">
      <h2 id="locales-title">{t('locales.title')}</h2>
      <p className="hint">{t('locales.about')}</p>
      <Loaded query={useLocales()}>
        {(all) => (
          <DataTable columns={columns()} keyOf={({ code }) => code} label={t('locales.title')} rows={all} />
        )}
      </Loaded>
    </section>
  );
}
