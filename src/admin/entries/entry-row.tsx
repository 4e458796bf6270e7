import { Link } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { typeOf, useProject, type Entry, type Field } from '../api/project-data.js';
import { formatTime, localeName, t } from '../texts/index.js';
import { cellText } from './columns.js';
import { titleOf } from './entry-title.js';
import type { Selection } from './selection.js';
import { StatusBadge } from './status-badge.js';

interface Props {
  readonly entry: Entry;
  readonly fields: readonly Field[];
  readonly showsType: boolean;
  /** In the whole table, the head included. */
  readonly index: number;
  readonly locale: string | undefined;
  readonly selection: Selection | undefined;
  readonly style: CSSProperties;
}

/** One code per locale, colored by its status. */
function Locales({ entry }: { readonly entry: Entry }) {
  return (
    <span className="row tight">
      {entry.locales.slice(0, 4).map(({ locale, status }) => (
        <span
          aria-label={`${localeName(locale)}: ${t(`status.${status}`)}`}
          className={`badge ${status}`}
          key={locale}
          role="img"
          title={`${localeName(locale)}: ${t(`status.${status}`)}`}
        >
          {locale}
        </span>
      ))}
      {entry.locales.length > 4 && <span className="soft small">+{entry.locales.length - 4}</span>}
    </span>
  );
}

export function EntryRow({ entry, fields, showsType, index, locale, selection, style }: Props) {
  const project = useProject();
  const type = typeOf(project, entry.contentTypeApiName);
  const title = titleOf(entry, type);
  return (
    <div aria-rowindex={index} className="table-row placed" role="row" style={style}>
      {selection !== undefined && (
        <span role="cell">
          <input
            aria-label={t('bulk.select', { title })}
            checked={selection.ids.has(entry.id)}
            onChange={() => selection.toggle(entry.id)}
            type="checkbox"
          />
        </span>
      )}
      <span className="clip" role="cell">
        <Link
          className="row-link"
          params={{ project: project.slug, environment: project.environment, entry: entry.id }}
          search={{ locale }}
          to="/$project/$environment/entries/$entry"
        >
          {title}
        </Link>
      </span>
      {showsType && (
        <span className="wide-only clip soft" role="cell">
          {type?.name ?? entry.contentTypeApiName}
        </span>
      )}
      {fields.map((field) => (
        <span className="wide-only clip" key={field.apiName} role="cell">
          {cellText(field, entry.fields[field.apiName])}
        </span>
      ))}
      <span role="cell">
        <StatusBadge status={entry.status} />
      </span>
      <span className="wide-only" role="cell">
        <Locales entry={entry} />
      </span>
      <span className="wide-only clip soft" role="cell">
        {formatTime(entry.updatedAt)}
      </span>
    </div>
  );
}
