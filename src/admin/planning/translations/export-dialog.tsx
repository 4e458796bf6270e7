import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { useProject } from '../../api/project-data.js';
import { fileUrl } from '../../media/media-url.js';
import { localeName, t } from '../../texts/index.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import type { BoardSearch } from '../../routes/searches.js';
import { JobProgress, untilEnded } from './job-progress.js';
import { translationStatuses, translationText, type TranslationStatus } from './statuses.js';

interface Props {
  readonly locale: string;
  /** Only what the board shows is exported. */
  readonly search: BoardSearch;
  readonly onClose: () => void;
}

const usual: readonly TranslationStatus[] = ['missing', 'stale'];

function ExportJob({ jobId }: { readonly jobId: string }) {
  const { slug: projectSlug } = useProject();
  const query = useQuery(
    api.translations.getExport.queryOptions(
      { projectSlug, jobId },
      { refetchInterval: untilEnded, staleTime: 0 },
    ),
  );
  return (
    <JobProgress query={query}>
      {({ url }) =>
        url !== null && (
          <p>
            <a className="button primary" download href={fileUrl(url)}>
              {t('export.download')}
            </a>
          </p>
        )
      }
    </JobProgress>
  );
}

/** An archive of XLIFF files, one for each entry. */
export function ExportDialog({ locale, search, onClose }: Props) {
  const { slug: projectSlug } = useProject();
  const [jobId, setJobId] = useState<string>();
  const [message, setMessage] = useState('');
  const start = async (form: FormData): Promise<void> => {
    const { type, site, assignee, priority } = search;
    const status = form.getAll('status') as TranslationStatus[];
    if (status.length === 0) return setMessage(t('export.noStatus'));
    try {
      const { data } = await client.translations.startExport.mutate({
        ...{ projectSlug, targetLocale: locale },
        source: form.get('source') === 'draft' ? 'draft' : 'published',
        filter: {
          status,
          ...(type !== undefined && { contentTypeApiName: [type] }),
          ...(site !== undefined && { siteId: [site] }),
          ...(assignee !== undefined && { assigneeId: [assignee] }),
          ...(priority !== undefined && { priority: [priority] }),
        },
      });
      setJobId(data.jobId);
    } catch (error) {
      const failure = failureOf(error);
      setMessage(failure.problem);
    }
  };
  return (
    <Dialog onClose={onClose} title={t('export.title', { locale: localeName(locale) })}>
      {jobId !== undefined ? (
        <ExportJob jobId={jobId} />
      ) : (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void start(new FormData(event.currentTarget));
          }}
        >
          <p>{t('export.hint')}</p>
          <fieldset className="field">
            <legend className="label">{t('list.status')}</legend>
            {translationStatuses.map((status) => (
              <label className="row tight" key={status}>
                <input defaultChecked={usual.includes(status)} name="status" type="checkbox" value={status} />
                {translationText(status)}
              </label>
            ))}
          </fieldset>
          <label className="field">
            <span className="label">{t('export.source')}</span>
            <select className="select" name="source">
              <option value="published">{t('export.published')}</option>
              <option value="draft">{t('export.draft')}</option>
            </select>
          </label>
          <DialogFooter refusal={message} run={t('export.start')} />
        </form>
      )}
    </Dialog>
  );
}
