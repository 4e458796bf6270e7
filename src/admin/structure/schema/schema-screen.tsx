import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { ApplyPlan, CallFailure } from './apply-plan.js';
import { DocumentEditor } from './document-editor.js';
import { PlanView, type ShownStep } from './plan-view.js';
import { withRename, type SchemaPlan, readSchema } from './schema-document.js';
import { client, queryClient } from '../../api/client.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import { useCall } from '../../api/use-call.js';
import type { SchemaDocument } from '../../../../contracts/deployment/schema/schema-plan.js';
import type { Failure } from '../../api/failure.js';

interface Planned {
  readonly schema: SchemaDocument;
  readonly plan: SchemaPlan;
  /** Another one than was shown when the user wanted to apply it. */
  readonly isOther?: boolean;
}

interface SchemaPlanning {
  readonly text: string;
  /** Changes the document; its plan is made again when the user asks for it. */
  readonly setText: (text: string) => void;
  readonly planned: Planned | undefined;
  readonly replacePlan: (plan: SchemaPlan) => void;
  /** Why the document cannot be read. */
  readonly problems: readonly string[];
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
  readonly plan: (text: string) => Promise<void>;
}

/** A document that the user writes, and what an apply of it would change. */
function useSchemaPlan(): SchemaPlanning {
  const { slug: projectSlug } = useProject();
  const [text, setText] = useState('');
  const [planned, setPlanned] = useState<Planned>();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const { isBusy, failure, run } = useCall();
  const keep = (next: string): void => {
    setText(next);
    setPlanned(undefined);
    setProblems([]);
  };
  const read = async (document: string): Promise<void> => {
    const reading = readSchema(document);
    if ('problems' in reading) return setProblems(reading.problems);
    const { schema } = reading;
    const { data: plan } = await client.schema.plan.mutate({ projectSlug, schema });
    setPlanned({ schema, plan });
  };
  return {
    text,
    setText: keep,
    planned,
    replacePlan: (plan) => setPlanned(planned && { ...planned, plan, isOther: true }),
    problems,
    isBusy,
    failure,
    plan: (document) => {
      keep(document);
      return run(() => read(document));
    },
  };
}

interface Props {
  readonly applyId: string;
  readonly onUndone: () => void;
}

/** Undoes the last apply, as long as nothing has been changed since. */
function UndoApply({ applyId, onUndone }: Props) {
  const { slug: projectSlug, may } = useProject();
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, failure, run } = useCall();
  const { steps } = (failure?.details ?? {}) as { readonly steps?: readonly ShownStep[] };
  const undo = async (): Promise<void> => {
    await client.schema.undo.mutate({ projectSlug, applyId });
    notify(t('schema.undone'));
    setIsAsking(false);
    onUndone();
    await queryClient.invalidateQueries();
  };
  if (!may('schema.undo')) return null;
  return (
    <>
      <button className="button" onClick={() => setIsAsking(true)} type="button">
        {t('schema.undo')}
      </button>
      {isAsking && (
        <Dialog isWide onClose={() => setIsAsking(false)} title={t('schema.undoTitle')}>
          <p>{t('schema.undoHint')}</p>
          <CallFailure failure={failure} />
          {steps !== undefined && <PlanView label={t('schema.undoSteps')} steps={steps} />}
          <DialogFooter
            disabled={isBusy}
            isDangerous
            onCancel={() => setIsAsking(false)}
            onRun={() => run(undo)}
            run={t('schema.undoNow')}
          />
        </Dialog>
      )}
    </>
  );
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
