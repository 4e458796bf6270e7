import { useState } from 'react';
import type { SchemaDocument } from '../../../../contracts/deployment/schema/schema-plan.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import { client, queryClient, type Outputs } from '../../api/client.js';
import { failureOf, issueText, type Failure } from '../../api/failure.js';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { useCall } from '../../api/use-call.js';
import type { SchemaPlan } from './schema-document.js';

/** Why the service refused a document, with the place of each problem. */
export function CallFailure({ failure }: { readonly failure: Failure | undefined }) {
  if (failure === undefined) return null;
  return (
    <div role="alert">
      <p className="problem">{failure.message}</p>
      <ul>
        {failure.issues.map((issue) => (
          <li className="problem" key={issue.path.join('.') + issue.message}>
            {issue.path.slice(1).join('.')}: {issueText(issue)}
          </li>
        ))}
      </ul>
    </div>
  );
}

type Applied = Outputs['schema']['applyDocument']['data'];

interface Props {
  readonly schema: SchemaDocument;
  readonly plan: SchemaPlan;
  /** The schema or its entries have changed since the plan was made. */
  readonly onOtherPlan: (plan: SchemaPlan) => void;
  readonly onApplied: (applied: Applied) => void;
}

/** Applies a plan that the user has seen; what deletes or replaces needs consent. */
export function ApplyPlan({ schema, plan, onOtherPlan, onApplied }: Props) {
  const { slug: projectSlug, may } = useProject();
  const [hasConsent, setHasConsent] = useState(false);
  const { isBusy, failure, run } = useCall();
  const isBlocked = plan.steps.some(({ blocker }) => blocker !== null);
  const apply = async (): Promise<void> => {
    // Consent is to the plan that was shown, not to what it has become.
    const { data: now } = await client.schema.plan.mutate({ projectSlug, schema });
    if (!isEqualJson(now, plan)) return onOtherPlan(now);
    const input = { projectSlug, schema, allowDestructive: plan.isDestructive && hasConsent };
    try {
      onApplied((await client.schema.applyDocument.mutate(input)).data);
    } catch (error) {
      const { code, details } = failureOf(error);
      if (code !== 'destructive_change' || !('steps' in details)) throw error;
      return onOtherPlan(details as unknown as SchemaPlan);
    }
    await queryClient.invalidateQueries();
  };
  if (plan.steps.length === 0) return null;
  if (!may('schema.applyDocument')) return <p className="soft">{t('schema.mayNotApply')}</p>;
  return (
    <>
      {isBlocked && <p className="notice bad">{t('schema.blockedHint')}</p>}
      {plan.isDestructive && !isBlocked && (
        <label className="row notice bad">
          <input
            checked={hasConsent}
            onChange={({ target }) => setHasConsent(target.checked)}
            type="checkbox"
          />
          <span className="grow">{t('schema.consent')}</span>
        </label>
      )}
      <CallFailure failure={failure} />
      <div className="row">
        <button
          className={plan.isDestructive ? 'button danger' : 'button primary'}
          disabled={isBusy || isBlocked || (plan.isDestructive && !hasConsent)}
          onClick={() => void run(apply)}
          type="button"
        >
          {t(isBusy ? 'schema.applying' : 'schema.apply')}
        </button>
      </div>
    </>
  );
}
