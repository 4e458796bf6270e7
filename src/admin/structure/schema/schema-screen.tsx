import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { ApplyPlan } from './apply-plan.js';
import { CallFailure } from './call-failure.js';
import { DocumentEditor } from './document-editor.js';
import { PlanView } from './plan-view.js';
import { withRename, type SchemaPlan } from './schema-document.js';
import { UndoApply } from './undo-apply.js';
import { useSchemaPlan } from './use-schema-plan.js';

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

/** Below the document, so it is scrolled into view when it appears. */
function PlanSection({ children }: { readonly children: ReactNode }) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    ref.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section aria-label={t('schema.planTitle')} aria-live="polite" className="stack" ref={ref}>
      <h2>{t('schema.planTitle')}</h2>
      {children}
    </section>
  );
}

/** The schema as one document: downloaded, planned, applied and undone. */
export function SchemaScreen() {
  const { may } = useProject();
  const navigate = useNavigate({ from: '/$project/$environment/schema' });
  const { applied } = useSearch({ from: '/$project/$environment/schema' });
  const { text, setText, planned, replacePlan, problems, isBusy, failure, plan } = useSchemaPlan();
  const [outcome, setOutcome] = useState<SchemaPlan['steps']>([]);
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
        <DocumentEditor onText={setText} text={text} />
        {may('schema.plan') && (
          <div className="row">
            <button
              className="button primary"
              disabled={isBusy || text.trim() === ''}
              onClick={() => void plan(text)}
              type="button"
            >
              {t(isBusy ? 'schema.planning' : 'schema.plan')}
            </button>
          </div>
        )}
        <Problems problems={problems} />
        <CallFailure failure={failure} />
        {planned !== undefined && (
          <PlanSection>
            {planned.isOther === true && <p className="notice bad">{t('schema.otherPlan')}</p>}
            <PlanView
              label={t('schema.planTitle')}
              onRename={(step, from) => void plan(withRename(text, step, from))}
              steps={planned.plan.steps}
              warnings={planned.plan.warnings}
            />
            <ApplyPlan
              key={JSON.stringify(planned.plan)}
              onApplied={({ applyId, steps }) => {
                setText(text);
                keepApplied(applyId ?? undefined, steps);
              }}
              onOtherPlan={replacePlan}
              plan={planned.plan}
              schema={planned.schema}
            />
          </PlanSection>
        )}
      </div>
    </>
  );
}
