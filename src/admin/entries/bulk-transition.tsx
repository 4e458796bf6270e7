import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type Outputs } from '../api/client.js';
import { everyItem, PAGE_SIZE } from '../api/every-item.js';
import { useProject, type Entry } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { Loaded } from '../ui/states.js';
import type { BulkStep } from './run-bulk.js';

type Workflow = Outputs['workflows']['get']['data'];

/** A state that some of several entries can enter. */
interface PossibleStep {
  readonly to: string;
  readonly name: string;
  /** Number of entries. */
  readonly count: number;
  readonly needsComment: boolean;
}

/** The states that entries can enter from where they are, in the order of their workflows. */
export function possibleSteps(
  entries: readonly Pick<Entry, 'workflow'>[],
  workflows: readonly Workflow[],
): PossibleStep[] {
  const steps = workflows.flatMap((workflow) =>
    workflow.states.flatMap(({ key: to, name }) => {
      const starts = workflow.transitions.filter((transition) => transition.to === to);
      const able = entries.filter(
        (entry) =>
          entry.workflow?.slug === workflow.slug && starts.some(({ from }) => from === entry.workflow?.state),
      );
      const used = starts.filter(({ from }) => able.some((entry) => entry.workflow?.state === from));
      const needsComment = used.some(({ requireComment }) => requireComment);
      return able.length === 0 ? [] : [{ to, name, count: able.length, needsComment }];
    }),
  );
  // Workflows can have states of the same key, which one call enters.
  return [...Map.groupBy(steps, ({ to }) => to)].map(([to, same]) => ({
    to,
    name: [...new Set(same.map(({ name }) => name))].join(', '),
    count: same.reduce((sum, { count }) => sum + count, 0),
    needsComment: same.some(({ needsComment }) => needsComment),
  }));
}

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
      <div className="actions">
        <button className="button" onClick={onClose} type="button">
          {t('app.cancel')}
        </button>
        <button className="button primary" type="submit">
          {t('bulk.workflowMove')}
        </button>
      </div>
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
