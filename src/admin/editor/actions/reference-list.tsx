import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.js';
import { typeOf, useProject } from '../../api/project-data.js';
import { StatusBadge } from '../../entries/status-badge.js';
import { EntryLink } from '../../insight/entry-link.js';
import { localeName, t } from '../../texts/index.js';
import { PageSwitch } from '../../ui/page-switch.js';
import { Loaded } from '../../ui/states.js';
import { fieldLabel } from '../field-label.js';

const SHOWN = 20;

/** The drafts that refer to an entry, with the field and locale of each. */
export function ReferenceList({ id, empty }: { readonly id: string; readonly empty: string }) {
  const project = useProject();
  const [page, setPage] = useState(1);
  const input = { projectSlug: project.slug, id, page, limit: SHOWN };
  const query = useQuery(
    api.entries.listReferences.queryOptions(input, { placeholderData: keepPreviousData, staleTime: 0 }),
  );
  const fieldOf = (apiName: string, field: string): string => {
    const type = typeOf(project, apiName);
    return type === undefined ? field : `${type.name}: ${fieldLabel(type, field)}`;
  };
  return (
    <Loaded query={query}>
      {({ data, meta }) =>
        data.length === 0 ? (
          <p className="soft">{empty}</p>
        ) : (
          <>
            <ul aria-label={t('uses.list')} className="versions">
              {data.map(({ entryId, contentTypeApiName, fieldApiName, blocks, locale, title, status }) => (
                <li className="version" key={[entryId, fieldApiName, ...blocks, locale].join(' ')}>
                  <p className="row">
                    <span className="grow clip">
                      <EntryLink id={entryId} locale={locale} title={title} />
                    </span>
                    <StatusBadge status={status} />
                  </p>
                  <p className="small soft">
                    {[
                      fieldOf(contentTypeApiName, fieldApiName),
                      ...(locale === null ? [] : [localeName(locale)]),
                    ].join(' · ')}
                  </p>
                </li>
              ))}
            </ul>
            {meta.pages > 1 && (
              <PageSwitch onPage={setPage} page={page} pages={meta.pages} total={meta.total} />
            )}
          </>
        )
      }
    </Loaded>
  );
}
