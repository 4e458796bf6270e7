import { useQuery } from '@tanstack/react-query';
import { client, queryClient } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { formatNumber, formatTime, t } from '../../texts/index.js';
import { notify } from '../../ui/toasts.js';
import { ActionButton } from '../../ui/action-button.js';

/** The last analysis, and a new one on demand, for those who may also acknowledge issues. */
export function AnalysisHead() {
  const { slug: projectSlug, may } = useProject();
  const { data } = useQuery({
    queryKey: ['governance', 'analysis', projectSlug],
    queryFn: () => client.governance.lastAnalysis.query({ projectSlug }),
  });
  const analyze = async (): Promise<void> => {
    const { data: result } = await client.governance.analyze.mutate({ projectSlug });
    await queryClient.invalidateQueries({ queryKey: ['governance'] });
    notify(t('governance.analyzed', { open: formatNumber(result.summary.open) }));
  };
  const last = data?.data;
  return (
    <header className="screen-head row">
      <div className="grow">
        <h1 className="clip">{t('governance.title')}</h1>
        {data !== undefined && (
          <p className="small soft">
            {last
              ? t('governance.last', {
                  time: formatTime(last.completedAt ?? last.startedAt),
                  open: formatNumber(last.summary.open),
                })
              : t('governance.never')}
          </p>
        )}
      </div>
      {may('governance.resolve') && (
        <ActionButton busyLabel={t('governance.analyzing')} label={t('governance.analyze')} run={analyze} />
      )}
    </header>
  );
}
