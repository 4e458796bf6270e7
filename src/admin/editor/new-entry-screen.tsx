import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { typeOf, useProject } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Empty } from '../ui/states.js';
import { NewEntryForm } from './new-entry-form.js';

/** The site and the locale of a new entry are in the address; a change of them keeps what was typed. */
export function NewEntryScreen() {
  const project = useProject();
  const { type: apiName } = useParams({ from: '/$project/$environment/new/$type' });
  const { site: siteId, locale } = useSearch({ from: '/$project/$environment/new/$type' });
  const navigate = useNavigate({ from: '/$project/$environment/new/$type' });
  const type = typeOf(project, apiName);
  const site = project.sites.find(({ id }) => id === siteId) ?? project.sites[0];
  if (type === undefined || site === undefined) return <Empty title={t('app.notFound')} />;
  const isChosen = type.isLocalized && locale !== undefined && site.locales.includes(locale);
  const chosen = isChosen ? locale : site.defaultLocale;
  return (
    <NewEntryForm
      key={apiName}
      locale={chosen}
      onPlace={(place) => void navigate({ search: place, replace: true, ignoreBlocker: true })}
      site={site}
      type={type}
    />
  );
}
