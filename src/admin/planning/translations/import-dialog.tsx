import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { useProject } from '../../api/project-data.js';
import { base64Of } from '../../media/uploads/send-file.js';
import { t } from '../../texts/index.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { refreshWork } from '../tasks/use-tasks.js';
import { JobProgress, untilEnded } from './job-progress.js';

/** A call carries 1 MiB, in which the archive is Base64. */
const ARCHIVE_BYTES = 760_000;

function ImportJob({ jobId }: { readonly jobId: string }) {
  const { slug: projectSlug } = useProject();
  const query = useQuery(
    api.translations.getImport.queryOptions(
      { projectSlug, jobId },
      { refetchInterval: untilEnded, staleTime: 0 },
    ),
  );
  return (
    <JobProgress query={query}>
      {({ files }) => (
        <p>
          {t('import.applied', {
            applied: files.reduce((sum, { applied }) => sum + applied, 0),
            left: files.reduce((sum, one) => sum + one.untranslated + one.staleSource + one.invalid, 0),
          })}
        </p>
      )}
    </JobProgress>
  );
}

/** The archive of an export, as the translators send it back. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { slug: projectSlug } = useProject();
  const [jobId, setJobId] = useState<string>();
  const [message, setMessage] = useState('');
  const start = async (form: FormData): Promise<void> => {
    const file = form.get('file') as File;
    if (file.size > ARCHIVE_BYTES) return setMessage(t('import.tooLarge'));
    try {
      const content = await base64Of(file);
      const { data } = await client.translations.startImport.mutate({
        projectSlug,
        applyStale: form.get('stale') === 'on',
        file: { fileName: file.name, content },
      });
      setJobId(data.jobId);
    } catch (error) {
      const failure = failureOf(error);
      setMessage(failure.problem);
    }
  };
  const close = (): void => {
    refreshWork();
    onClose();
  };
  return (
    <Dialog onClose={close} title={t('import.title')}>
      {jobId !== undefined ? (
        <ImportJob jobId={jobId} />
      ) : (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void start(new FormData(event.currentTarget));
          }}
        >
          <label className="field">
            <span className="label">{t('import.file')}</span>
            <input accept=".zip" className="input" name="file" required type="file" />
          </label>
          <label className="row tight">
            <input name="stale" type="checkbox" />
            {t('import.stale')}
          </label>
          <DialogFooter refusal={message} run={t('import.start')} />
        </form>
      )}
    </Dialog>
  );
}
