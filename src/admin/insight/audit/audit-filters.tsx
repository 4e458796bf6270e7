import { t } from '../../texts/index.js';
import { Choice } from '../../ui/choice.js';
import { DayInput } from '../../ui/day-input.js';
import { SearchBox } from '../../ui/search-box.js';
import { allInterfaces, type AuditInterface, type AuditSearch } from './audit-search.js';

interface Props {
  readonly search: AuditSearch;
  readonly onChange: (search: AuditSearch) => void;
}

export function AuditFilters({ search, onChange }: Props) {
  return (
    <div className="filters row">
      <SearchBox
        label={t('audit.action')}
        onChange={(action) => onChange({ ...search, action })}
        value={search.action}
      />
      <SearchBox
        label={t('audit.targetId')}
        onChange={(targetId) => onChange({ ...search, targetId })}
        value={search.targetId}
      />
      <SearchBox
        label={t('audit.actorId')}
        onChange={(actorId) => onChange({ ...search, actorId })}
        value={search.actorId}
      />
      <Choice
        label={t('audit.interface')}
        onChange={(value) => onChange({ ...search, interface: value as AuditInterface | undefined })}
        value={search.interface}
      >
        {allInterfaces.map((one) => (
          <option key={one} value={one}>
            {t(`audit.interface.${one}`)}
          </option>
        ))}
      </Choice>
      <DayInput
        label={t('insight.from')}
        onChange={(from) => onChange({ ...search, from })}
        value={search.from}
      />
      <DayInput label={t('insight.to')} onChange={(to) => onChange({ ...search, to })} value={search.to} />
    </div>
  );
}
