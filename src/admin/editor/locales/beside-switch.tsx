import type { Entry } from '../../api/project-data.js';
import { localeName, t } from '../../texts/index.js';
import { useBesideLocale, useShowBeside, useSiteLocales } from './use-beside.js';

/** Chooses another locale to be shown beside the edited one. */
export function BesideSwitch({ entry }: { readonly entry: Entry }) {
  const others = useSiteLocales(entry).filter((locale) => locale !== entry.locale);
  const beside = useBesideLocale(entry);
  const show = useShowBeside();
  if (others.length === 0) return null;
  return (
    <select
      aria-label={t('beside.label')}
      className="select compact"
      onChange={({ target }) => show(target.value || undefined)}
      value={beside ?? ''}
    >
      <option value="">{t('beside.none')}</option>
      {others.map((locale) => (
        <option key={locale} value={locale}>
          {t('beside.with', { locale: localeName(locale) })}
        </option>
      ))}
    </select>
  );
}
