import { useQuery } from '@tanstack/react-query';
import { api, client } from '../../api/client.js';
import { everyItem, PAGE_SIZE } from '../../api/every-item.js';
import { useProject } from '../../api/project-data.js';
import { PersonOptions } from '../../planning/person-options.js';
import { self, useMembers } from '../../planning/users.js';
import { t } from '../../texts/index.js';
import { Choice } from '../../ui/choice.js';
import { DayInput } from '../../ui/day-input.js';
import { allInterfaces, type AuditInterface, type AuditSearch } from './audit-search.js';
import { actionGroups, actionText, subjectText } from './audit-words.js';

interface Props {
  readonly search: AuditSearch;
  readonly onChange: (search: AuditSearch) => void;
}

/** Members and API keys; another one that an event named is offered as such. */
function WhoChoice({ search, onChange }: Props) {
  const { slug: projectSlug, may } = useProject();
  const members = useMembers();
  const { data: keys = [] } = useQuery({
    queryKey: [...api.apiKeys.list.queryKey({ projectSlug }), 'every'],
    queryFn: () => everyItem((page) => client.apiKeys.list.query({ projectSlug, page, limit: PAGE_SIZE })),
    enabled: may('apiKeys.list'),
  });
  const { actorId } = search;
  const isKnown = [...members, ...keys, self()].some(({ id }) => id === actorId);
  return (
    <Choice
      label={t('audit.actor')}
      onChange={(chosen) => onChange({ ...search, actorId: chosen })}
      value={actorId}
    >
      <PersonOptions hasSelf />
      {actorId !== undefined && !isKnown && <option value={actorId}>{t('audit.otherActor')}</option>}
      {keys.length > 0 && (
        <optgroup label={t('apiKeys.title')}>
          {keys.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
    </Choice>
  );
}

const SUBJECT = 'subject ';

/** One action, or everything that happened to things of a kind. */
function ActionChoice({ search, onChange }: Props) {
  const { action, targetType, ...others } = search;
  const isListed = actionGroups.some(({ actions }) => actions.some((one) => one.action === action));
  return (
    <Choice
      label={t('audit.action')}
      onChange={(chosen) =>
        onChange(
          chosen?.startsWith(SUBJECT) === true
            ? { ...others, targetType: chosen.slice(SUBJECT.length) }
            : { ...others, action: chosen },
        )
      }
      value={action ?? (targetType === undefined ? undefined : SUBJECT + targetType)}
    >
      {action !== undefined && !isListed && <option value={action}>{actionText(action)}</option>}
      {targetType !== undefined && !actionGroups.some(({ subject }) => subject === targetType) && (
        <option value={SUBJECT + targetType}>{subjectText(targetType)}</option>
      )}
      {actionGroups.map(({ subject, label, actions }) => (
        <optgroup key={subject} label={label}>
          <option value={SUBJECT + subject}>{t('audit.anything', { subject: label })}</option>
          {actions.map((one) => (
            <option key={one.action} value={one.action}>
              {one.label}
            </option>
          ))}
        </optgroup>
      ))}
    </Choice>
  );
}

/** Filters in words: who did what, where, and when. */
export function AuditFilters({ search, onChange }: Props) {
  return (
    <div className="filters row">
      <WhoChoice onChange={onChange} search={search} />
      <ActionChoice onChange={onChange} search={search} />
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
      {search.targetId !== undefined && (
        <button className="button" onClick={() => onChange({ ...search, targetId: undefined })} type="button">
          {t('audit.everyTarget')}
        </button>
      )}
    </div>
  );
}
