import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { formatNumber, formatTime, t, type TextKey } from '../../texts/index.js';
import { Figures } from '../figures.js';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure.js';
import { Loaded, type QueryLike } from '../../ui/states.js';

interface Props<T> {
  readonly title: string;
  /** Where the rest is. */
  readonly more?: ReactNode;
  readonly query: QueryLike<T>;
  readonly children: (data: T) => ReactNode;
}

/** A part of the dashboard; those that the user may not read are left out. */
export function Section<T>({ title, more, query, children }: Props<T>) {
  if (query.error !== null && failureOf(query.error).code === 'permission_denied') return null;
  return (
    <section aria-label={title} className="board">
      <header className="row">
        <h2 className="grow">{title}</h2>
        {more}
      </header>
      <Loaded query={query}>{children}</Loaded>
    </section>
  );
}

/** One entry of the report is the least that it returns. */
const ROWS = 1;

export function HealthSection() {
  const { slug: projectSlug, environment } = useProject();
  const query = useQuery({
    queryKey: ['dashboard', 'health', projectSlug],
    queryFn: () => client.reports.contentHealth.query({ projectSlug, limit: ROWS }),
  });
  const more = (
    <Link
      params={{ project: projectSlug, environment, report: 'content-health' }}
      search={{}}
      to="/$project/$environment/reports/$report"
    >
      {t('dashboard.more')}
    </Link>
  );
  return (
    <Section more={more} query={query} title={t('report.content-health')}>
      {({ data: { summary } }) => {
        const { score, entries, issues, byType } = summary;
        if (entries === 0) return <p className="soft">{t('health.nothing')}</p>;
        const codes = Object.entries(byType).sort(([, one], [, other]) => other - one);
        return (
          <>
            <Figures summary={{ score, entries, issues }} />
            <ul className="plain">
              {codes.map(([code, count]) => (
                <li className="row tight" key={code}>
                  <span className="grow">{t(`health.${code}` as TextKey)}</span>
                  <span className="soft">{formatNumber(count)}</span>
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </Section>
  );
}

const severities = ['critical', 'warning', 'info'] as const;

export function OpenIssues() {
  const { slug: projectSlug, environment } = useProject();
  const query = useQuery({
    queryKey: ['governance', 'analysis', projectSlug],
    queryFn: () => client.governance.lastAnalysis.query({ projectSlug }),
  });
  const more = (
    <Link
      params={{ project: projectSlug, environment }}
      search={{ status: 'open' }}
      to="/$project/$environment/governance"
    >
      {t('dashboard.more')}
    </Link>
  );
  return (
    <Section more={more} query={query} title={t('governance.title')}>
      {({ data }) =>
        data === null ? (
          <p className="soft">{t('governance.never')}</p>
        ) : (
          <>
            <p className="row">
              {data.summary.open === 0
                ? t('governance.none')
                : severities
                    .filter((severity) => severity in data.summary.bySeverity)
                    .map((severity) => (
                      <span className={`badge ${severity}`} key={severity}>
                        {t(`severity.${severity}`)}: {formatNumber(data.summary.bySeverity[severity] ?? 0)}
                      </span>
                    ))}
            </p>
            <p className="small soft">{formatTime(data.completedAt ?? data.startedAt)}</p>
          </>
        )
      }
    </Section>
  );
}
