import { useState } from 'react';
import { locales } from '../../../contracts/tenancy/locales/locales.contract.js';
import { useProject } from '../api/project-data.js';
import { ItemDialog } from '../resources/item-dialog.js';
import { resourceOf, deletion, type FormConfig, type ResourceConfig } from '../resources/resource-config.js';
import { localeName, t } from '../texts/index.js';
import { DataTable, type Column } from '../ui/data-table.js';
import { Loaded } from '../ui/states.js';
import { type Outputs, client } from '../api/client.js';
import { useQuery } from '@tanstack/react-query';
import { everyItem, PAGE_SIZE } from '../api/every-item.js';
import { OptionSelect } from '../fields/choice-editors.js';
import type { PropertyControlProps } from '../resources/control-props.js';
import { OptionChecks } from '../resources/option-checks.js';

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
        <OptionSelect
          {...props}
          options={all.map(({ code }) => ({ value: code, label: localeName(code) }))}
        />
      )}
    </Loaded>
  );
}

export type Locale = Outputs['locales']['list']['data'][number];

/** What the list of a project's locales and that of any tenant have in common. */
export const localeList = {
  title: 'locales.title',
  createLabel: 'locales.create',
  nameOf: ({ code }: Locale) => localeName(code),
  key: { input: 'code', item: 'code' },
  actions: [deletion()],
} as const satisfies Partial<ResourceConfig<Locale>>;

export const localeForm = {
  order: ['code', 'name', 'fallbackCode', 'isActive'],
  start: { isActive: true },
} as const satisfies FormConfig;

const resource = resourceOf<Locale>({
  name: 'locales',
  contracts: locales,
  ...localeList,
  columns: ['code', 'fallbackCode', 'isActive'],
  form: { ...localeForm, editors: { fallbackCode: LocaleChoice } },
});

const columns = (onOpen: ((locale: Locale) => void) | undefined): Column<Locale>[] => [
  {
    key: 'code',
    label: t('locales.locale'),
    cell: (locale) =>
      onOpen === undefined ? (
        localeName(locale.code)
      ) : (
        <button className="row-link" onClick={() => onOpen(locale)} type="button">
          {localeName(locale.code)}
        </button>
      ),
  },
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

/** The locales that sites choose from. The tenant has them, so only owners of its projects change them. */
export function LocaleTable() {
  const { slug: projectSlug, may } = useProject();
  const [open, setOpen] = useState<{ readonly item: Locale | undefined }>();
  return (
    <section aria-labelledby="locales-title" className="screen-part">
      <div className="row">
        <h2 className="grow" id="locales-title">
          {t('locales.title')}
        </h2>
        {may('locales.create') && (
          <button className="button" onClick={() => setOpen({ item: undefined })} type="button">
            {t('locales.create')}
          </button>
        )}
      </div>
      <p className="hint">{t('locales.about')}</p>
      <Loaded query={useLocales()}>
        {(all) => (
          <DataTable
            columns={columns(may('locales.update') ? (item) => setOpen({ item }) : undefined)}
            keyOf={({ code }) => code}
            label={t('locales.title')}
            rows={all}
          />
        )}
      </Loaded>
      {open !== undefined && (
        <ItemDialog
          fixed={{ projectSlug }}
          item={open.item}
          list={locales.list}
          onClose={() => setOpen(undefined)}
          resource={resource}
        />
      )}
    </section>
  );
}
