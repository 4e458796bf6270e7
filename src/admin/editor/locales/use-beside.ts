import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api, type Outputs } from '../../api/client.js';
import { typeOf, useProject, type Entry } from '../../api/project-data.js';

export type TranslationWork = Outputs['translations']['get']['data']['locales'][number];

/** Locales of the site of an entry, in the order of the site; its own if it has one document for all of them. */
export function useSiteLocales({ siteId, locale, contentTypeApiName }: Entry): readonly string[] {
  const project = useProject();
  if (typeOf(project, contentTypeApiName)?.isLocalized === false) return [locale];
  return project.sites.find(({ id }) => id === siteId)?.locales ?? [locale];
}

/** The locale beside the edited one, which is in the address. */
export function useBesideLocale(entry: Entry): string | undefined {
  const { beside } = useSearch({ from: '/$project/$environment/entries/$entry' });
  const locales = useSiteLocales(entry);
  return beside !== entry.locale && locales.includes(beside ?? '') ? beside : undefined;
}

/** Changes what is shown beside; the form stays as it is. */
export function useShowBeside(): (beside: string | undefined) => void {
  const navigate = useNavigate({ from: '/$project/$environment/entries/$entry' });
  return (beside) =>
    void navigate({ search: (now) => ({ ...now, beside }), replace: true, ignoreBlocker: true });
}

/** The values of the entry in another locale. */
export function useBesideEntry({ id }: Entry, locale: string) {
  const { slug: projectSlug } = useProject();
  return useQuery(api.entries.get.queryOptions({ projectSlug, id, locale }, { staleTime: 0, retry: false }));
}

/** By locale: its translation, with the source of outdated fields. Empty for those who may not read it. */
export function useTranslationWork({ id: entryId }: Entry): ReadonlyMap<string, TranslationWork> {
  const { slug: projectSlug, may } = useProject();
  const { data } = useQuery(
    api.translations.get.queryOptions(
      { projectSlug, entryId },
      { enabled: may('translations.get'), staleTime: 0, retry: false },
    ),
  );
  return new Map(data?.data.locales.map((work) => [work.locale, work]));
}
