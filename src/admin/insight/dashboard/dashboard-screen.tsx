import { useProject, localesOf, typeOf } from '../../api/project-data.js';
import { useSession } from '../../api/session-store.js';
import { t, formatTime, localeName } from '../../texts/index.js';
import { HealthSection, OpenIssues, Section } from './health-sections.js';
import { isNew, NextSteps } from './next-steps.js';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client } from '../../api/client.js';
import { titleOf } from '../../entries/entry-title.js';
import { StatusBadge } from '../../entries/status-badge.js';
import { EntryLink } from '../entry-link.js';

const SHOWN = 8;

interface ItemProps {
  readonly link: ReactNode;
  readonly note: string;
  readonly badge?: ReactNode;
}

const Item = ({ link, note, badge }: ItemProps) => (
  <li className="board-item">
    <span className="grow">
      <span className="clip block-line">{link}</span>
      <span className="small soft clip block-line">{note}</span>
    </span>
    {badge}
  </li>
);

const Nothing = ({ children }: { readonly children: string }) => <p className="soft">{children}</p>;

export function TaskSection() {
  const project = useProject();
  const { slug: projectSlug } = project;
  const query = useQuery({
    queryKey: ['dashboard', 'tasks', projectSlug],
    queryFn: () => client.tasks.list.query({ projectSlug, limit: SHOWN }),
  });
  return (
    <Section query={query} title={t('dashboard.tasks')}>
      {({ data }) =>
        data.length === 0 ? (
          <Nothing>{t('dashboard.noTasks')}</Nothing>
        ) : (
          <ul className="plain">
            {data.map(({ kind, entryId, title, locale, dueAt, commentId }) => (
              <Item
                badge={<span className="badge">{t(`dashboard.task.${kind}`)}</span>}
                key={[kind, entryId, locale, commentId].join(' ')}
                link={<EntryLink id={entryId} locale={locale} title={title} />}
                note={[
                  locale === null ? '' : localeName(locale),
                  dueAt === null ? '' : t('dashboard.due', { time: formatTime(dueAt) }),
                ]
                  .filter((part) => part !== '')
                  .join(' · ')}
              />
            ))}
          </ul>
        )
      }
    </Section>
  );
}

export function RecentSection() {
  const project = useProject();
  const { slug: projectSlug, environment } = project;
  const input = { projectSlug, limit: SHOWN, locale: localesOf(project)[0] };
  const query = useQuery({
    queryKey: ['dashboard', 'recent', input],
    queryFn: () => client.entries.list.query(input),
  });
  const more = (
    <Link params={{ project: projectSlug, environment }} search={{}} to="/$project/$environment">
      {t('nav.all')}
    </Link>
  );
  return (
    <Section more={more} query={query} title={t('dashboard.recent')}>
      {({ data }) =>
        data.length === 0 ? (
          <Nothing>{t('list.empty')}</Nothing>
        ) : (
          <ul className="plain">
            {data.map((entry) => {
              const type = typeOf(project, entry.contentTypeApiName);
              return (
                <Item
                  badge={<StatusBadge status={entry.status} />}
                  key={entry.id}
                  link={<EntryLink id={entry.id} locale={entry.locale} title={titleOf(entry, type)} />}
                  note={[type?.name, entry.updatedBy.name, formatTime(entry.updatedAt)].join(' · ')}
                />
              );
            })}
          </ul>
        )
      }
    </Section>
  );
}

export function UpcomingSection() {
  const { slug: projectSlug, environment } = useProject();
  const query = useQuery({
    queryKey: ['dashboard', 'upcoming', projectSlug],
    queryFn: () =>
      client.calendar.list.query({
        projectSlug,
        limit: SHOWN,
        kind: ['publish', 'unpublish', 'release'],
        status: ['scheduled'],
      }),
  });
  return (
    <Section query={query} title={t('dashboard.upcoming')}>
      {({ data }) =>
        data.length === 0 ? (
          <Nothing>{t('dashboard.noUpcoming')}</Nothing>
        ) : (
          <ul className="plain">
            {data.map(({ id, kind, entryId, releaseId, entryTitle, locale, scheduledAt }) => (
              <Item
                badge={<span className="badge">{t(`calendar.kind.${kind}`)}</span>}
                key={id}
                link={
                  releaseId !== null ? (
                    <Link
                      className="row-link"
                      params={{ project: projectSlug, environment, release: releaseId }}
                      to="/$project/$environment/releases/$release"
                    >
                      {entryTitle}
                    </Link>
                  ) : entryId === null ? (
                    entryTitle
                  ) : (
                    <EntryLink id={entryId} locale={locale} title={entryTitle} />
                  )
                }
                note={[formatTime(scheduledAt), ...(locale === null ? [] : [localeName(locale)])].join(' · ')}
              />
            ))}
          </ul>
        )
      }
    </Section>
  );
}

/** What changed, what waits for the user, what comes and what is amiss. Its calls are one request. */
export function DashboardScreen() {
  const project = useProject();
  const session = useSession();
  const name = session.status === 'none' ? '' : session.session.user.name;
  return (
    <>
      <header className="screen-head row">
        <div className="grow">
          <p className="small soft clip">{project.name}</p>
          <h1 className="clip">{t('dashboard.hello', { name })}</h1>
        </div>
      </header>
      <div className="boards">
        {isNew(project.types) && <NextSteps />}
        <TaskSection />
        <UpcomingSection />
        <RecentSection />
        <HealthSection />
        <OpenIssues />
      </div>
    </>
  );
}
