import { useState } from 'react';
import { sites } from '../../../contracts/routing/sites/sites.contract.js';
import { localesOf, useProject, type Site } from '../api/project-data.js';
import { PlaceContext } from '../editor/place.js';
import { EntryPicker } from '../fields/entry-picker.js';
import type { PropertyControlProps } from '../resources/control-props.js';
import { deletion, resourceOf } from '../resources/resource-config.js';
import { ResourceScreen } from '../resources/resource-screen.js';
import { t } from '../texts/index.js';
import { LocaleChecks, LocaleChoice, LocaleTable } from './locale-table.js';

/** The entry at the path "/". */
function HomeEntry({ id, value, isReadOnly, label, onChange }: PropertyControlProps) {
  const project = useProject();
  const [isOpen, setIsOpen] = useState(false);
  const pages = project.types.filter(({ isPage }) => isPage).map(({ apiName }) => apiName);
  return (
    <div className="linked">
      <input
        aria-label={label}
        className="input grow code"
        id={id}
        readOnly
        value={typeof value === 'string' ? value : ''}
      />
      {!isReadOnly && (
        <>
          <button className="button" onClick={() => setIsOpen(true)} type="button">
            {t('field.choose')}
          </button>
          <button className="button" onClick={() => onChange(null)} type="button">
            {t('field.clear')}
          </button>
        </>
      )}
      {isOpen && (
        <PlaceContext value={{ siteId: '', locale: localesOf(project)[0] ?? '' }}>
          <EntryPicker
            onChoice={({ id: chosen }) => {
              onChange(chosen);
              setIsOpen(false);
            }}
            onClose={() => setIsOpen(false)}
            types={pages.length === 0 ? undefined : pages}
          />
        </PlaceContext>
      )}
    </div>
  );
}

const resource = resourceOf<Site>({
  name: 'sites',
  contracts: sites,
  title: 'sites.title',
  createLabel: 'sites.create',
  nameOf: ({ name }) => name,
  key: { input: 'siteSlug', item: 'slug' },
  columns: ['name', 'defaultLocale', 'slug', 'locales', 'domain', 'isActive', 'updatedAt'],
  form: {
    order: [
      ...['name', 'slug', 'description', 'locales', 'defaultLocale', 'requiredLocales'],
      ...['localePathStrategy', 'homeEntryId'],
    ],
    editors: {
      locales: LocaleChecks,
      requiredLocales: LocaleChecks,
      defaultLocale: LocaleChoice,
      homeEntryId: HomeEntry,
    },
    start: { isActive: true },
  },
  actions: [deletion()],
  // Every screen of the project knows its sites.
  refreshes: [['project']],
});

export const SitesScreen = () => (
  <ResourceScreen resource={resource}>
    <LocaleTable />
  </ResourceScreen>
);
