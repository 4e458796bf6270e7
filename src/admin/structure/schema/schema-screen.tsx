import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { SchemaDocument } from '../../../../contracts/vocabulary/schema-document.js';
import { client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { useCall } from '../use-call.js';
import { ApplyPlan } from './apply-plan.js';
import { CallFailure } from './call-failure.js';
import { DocumentEditor } from './document-editor.js';
import { PlanView } from './plan-view.js';
import { readSchema, withRename, type SchemaPlan } from './schema-document.js';
import { UndoApply } from './undo-apply.js';

interface Planned {
  readonly schema: SchemaDocument;
  readonly plan: SchemaPlan;
  /** Another one than was shown when the user wanted to apply it. */
  readonly isOther?: boolean;
}

function Problems({ problems }: { readonly problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <div role="alert">
      <p className="problem">{t('schema.unreadable')}</p>
      <ul>
        {problems.map((problem) => (
          <li className="problem" key={problem}>
            {problem}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface AppliedProps {
  readonly applyId: string;
  /** Of an apply on this screen; empty after the page was loaded again. */
  readonly steps: SchemaPlan['steps'];
  readonly onUndone: () => void;
}

/** The result of the last apply, which stays in the address so that it can be undone later. */
function Applied({ applyId, steps, onUndone }: AppliedProps) {
  return (
    <>
      <div className="notice row" role="status">
        <p className="grow">{t('schema.applied')}</p>
        <UndoApply applyId={applyId} onUndone={onUndone} />
      </div>
      {steps.length > 0 && <PlanView label={t('schema.outcome')} steps={steps} />}
    </>
  );
}

/** The schema as one document: downloaded, planned, applied and undone. */
export function SchemaScreen() {
  const { slug: projectSlug, may } = useProject();
  const navigate = useNavigate({ from: '/$project/$environment/schema' });
  const { applied } = useSearch({ from: '/$project/$environment/schema' });
  const [text, setText] = useState('');
  const [planned, setPlanned] = useState<Planned>();
  const [outcome, setOutcome] = useState<SchemaPlan['steps']>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const { isBusy, failure, run } = useCall();
  const keep = (next: string): void => {
    setText(next);
    setPlanned(undefined);
    setProblems([]);
  };
  const showPlan = async (document: string): Promise<void> => {
    const read = readSchema(document);
    setPlanned(undefined);
    if ('problems' in read) return setProblems(read.problems);
    setProblems([]);
    const { data } = await client.schema.plan.mutate({ projectSlug, schema: read.schema });
    setPlanned({ schema: read.schema, plan: data });
  };
  const keepApplied = (id: string | undefined, steps: SchemaPlan['steps'] = []): void => {
    setOutcome(steps);
    void navigate({ search: { applied: id }, replace: true });
  };
  return (
    <>
      <header className="screen-head">
        <h1>{t('schema.title')}</h1>
      </header>
      <p className="soft screen-hint">{t('schema.about')}</p>
      <div className="screen-part">
        {applied !== undefined && (
          <Applied applyId={applied} onUndone={() => keepApplied(undefined)} steps={outcome} />
        )}
        <DocumentEditor onText={keep} text={text} />
        {may('schema.plan') && (
          <div className="row">
            <button
              className="button primary"
              disabled={isBusy || text.trim() === ''}
              onClick={() => void run(() => showPlan(text))}
              type="button"
            >
              {t(isBusy ? 'schema.planning' : 'schema.plan')}
            </button>
          </div>
        )}
        <Problems problems={problems} />
        <CallFailure failure={failure} />
        {planned !== undefined && (
          <section aria-label={t('schema.planTitle')} aria-live="polite" className="stack">
            <h2>{t('schema.planTitle')}</h2>
            {planned.isOther === true && <p className="notice bad">{t('schema.otherPlan')}</p>}
            <PlanView
              label={t('schema.planTitle')}
              onRename={(step, from) => {
                const renamed = withRename(text, step, from);
                keep(renamed);
                void run(() => showPlan(renamed));
              }}
              steps={planned.plan.steps}
              warnings={planned.plan.warnings}
            />
            <ApplyPlan
              key={JSON.stringify(planned.plan)}
              onApplied={({ applyId, steps }) => {
                keep(text);
                keepApplied(applyId ?? undefined, steps);
              }}
              onOtherPlan={(plan) => setPlanned({ ...planned, plan, isOther: true })}
              plan={planned.plan}
              schema={planned.schema}
            />
          </section>
        )}
      </div>
    </>
  );
}
