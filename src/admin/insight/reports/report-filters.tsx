import { localesOf, useProject } from '../../api/project-data.js';
import { localeName, t } from '../../texts/index.js';
import { Choice } from '../../ui/choice.js';
import { PeriodFilter } from '../period-filter.js';
import type { ReportSearch } from './report-search.js';

interface Props {
  readonly search: ReportSearch;
  readonly hasPeriod: boolean;
  readonly onChange: (search: ReportSearch) => void;
}

export function ReportFilters({ search, hasPeriod, onChange }: Props) {
  const project = useProject();
  const { site, locale, type } = search;
  const scope = { site, locale, type };
  return (
    <div className="filters row">
      {hasPeriod && <PeriodFilter onChange={(period) => onChange({ ...period, ...scope })} period={search} />}
      <Choice
        label={t('list.type')}
        onChange={(value) => onChange({ ...search, type: value, page: undefined })}
        value={type}
      >
        {project.types.map(({ apiName, name }) => (
          <option key={apiName} value={apiName}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice
        label={t('list.locale')}
        onChange={(value) => onChange({ ...search, locale: value, page: undefined })}
        value={locale}
      >
        {localesOf(project).map((one) => (
          <option key={one} value={one}>
            {localeName(one)}
          </option>
        ))}
      </Choice>
      {project.sites.length > 1 && (
        <Choice
          label={t('list.site')}
          onChange={(value) => onChange({ ...search, site: value, page: undefined })}
          value={site}
        >
          {project.sites.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
      )}
    </div>
  );
}
