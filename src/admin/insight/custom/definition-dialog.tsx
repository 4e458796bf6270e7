import { useState } from 'react';
import { client, queryClient, type Outputs } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { notify, notifyFailure } from '../../ui/toasts.js';
import { checked, draftOf, emptyDraft, type Definition, type Problems } from './definition.js';
import { DefinitionForm } from './definition-form.js';

export type Report = Outputs['customReports']['get']['data'];

interface Props {
  /** Absent: a new one. */
  readonly report?: Report;
  readonly onClose: () => void;
  readonly onSaved: (report: Report) => void;
}

/** Creates or changes a custom report. What is refused stays in the form. */
export function DefinitionDialog({ report, onClose, onSaved }: Props) {
  const { slug: projectSlug } = useProject();
  const [draft, setDraft] = useState(report === undefined ? emptyDraft : draftOf(report));
  const [problems, setProblems] = useState<Problems>([]);
  const [isBusy, setIsBusy] = useState(false);
  const send = async (definition: Definition): Promise<void> => {
    setIsBusy(true);
    try {
      const { data } =
        report === undefined
          ? await client.customReports.create.mutate({ projectSlug, ...definition })
          : await client.customReports.update.mutate({ projectSlug, id: report.id, ...definition });
      await queryClient.invalidateQueries({ queryKey: ['customReports'] });
      notify(t('custom.saved'));
      onSaved(data);
    } catch (error) {
      const { issues } = failureOf(error);
      setProblems(issues);
      if (issues.length === 0) notifyFailure(error);
      setIsBusy(false);
    }
  };
  const save = (): void => {
    const result = checked(draft);
    if ('problems' in result) setProblems(result.problems);
    else void send(result.definition);
  };
  return (
    <Dialog isWide onClose={onClose} title={report === undefined ? t('custom.new') : t('custom.edit')}>
      <DefinitionForm draft={draft} onChange={setDraft} problems={problems} />
      <DialogFooter disabled={isBusy} onCancel={onClose} onRun={save} run={t('custom.save')} />
    </Dialog>
  );
}
