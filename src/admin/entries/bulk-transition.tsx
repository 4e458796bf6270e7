import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../api/client.js';
import { everyItem, PAGE_SIZE } from '../api/every-item.js';
import { useProject, type Entry } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Dialog, DialogFooter } from '../ui/dialog.js';
import { Loaded } from '../ui/states.js';
import { possibleSteps, type PossibleStep } from './possible-steps.js';
import type { BulkStep } from './run-bulk.js';

interface Props {
  readonly entries: readonly Entry[];
  readonly onStep: (step: BulkStep) => void;
  readonly onClose: () => void;
}

function useWorkflows() {
  const { slug: projectSlug } = useProject();
  return useQuery({
    queryKey: [...api.workflows.list.queryKey({ projectSlug }), 'every'],
    queryFn: () => everyItem((page) => client.workflows.list.query({ projectSlug, page, limit: PAGE_SIZE })),
  });
}

interface FormProps extends Pick<Props, 'onStep' | 'onClose'> {
  readonly steps: readonly PossibleStep[];
}

function StepForm({ steps, onStep, onClose }: FormProps) {
  const [chosen, setChosen] = useState<string>();
  const [comment, setComment] = useState('');
  const step = steps.find(({ to }) => to === chosen) ?? steps[0];
  if (step === undefined) return <p className="soft">{t('bulk.workflowNone')}</p>;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onStep({ to: step.to, comment });
      }}
    >
      <label className="field">
        <span className="label">{t('bulk.workflowTo')}</span>
        <select className="select" onChange={({ target }) => setChosen(target.value)} value={step.to}>
          {steps.map(({ to, name, count }) => (
            <option key={to} value={to}>
              {t('bulk.workflowOption', { name, count })}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="label">{t('workflow.comment')}</span>
        <textarea
          className="area short"
          dir="auto"
          onChange={({ target }) => setComment(target.value)}
          required={step.needsComment}
          rows={2}
          value={comment}
        />
        {step.needsComment && <span className="hint">{t('bulk.workflowComment')}</span>}
      </label>
      <DialogFooter onCancel={onClose} run={t('bulk.workflowMove')} />
    </form>
  );
}

/** Asks where the selected entries go. Those that cannot go there are refused one by one. */
export function BulkTransition({ entries, onStep, onClose }: Props) {
  const query = useWorkflows();
  return (
    <Dialog onClose={onClose} title={t('bulk.workflowTitle', { count: entries.length })}>
      <Loaded query={query}>
        {(workflows) => (
          <StepForm onClose={onClose} onStep={onStep} steps={possibleSteps(entries, workflows)} />
        )}
      </Loaded>
    </Dialog>
  );
}
