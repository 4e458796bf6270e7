import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { client, queryClient } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { useCall } from '../../api/use-call.js';
import { templateNames, templateOf, type TemplateName } from '../../structure/schema/templates.js';
import { t } from '../../texts/index.js';
import { notify } from '../../ui/toasts.js';

interface StepProps {
  readonly title: string;
  readonly hint: string;
  readonly isDone?: boolean;
  readonly children?: ReactNode;
}

function Step({ title, hint, isDone = false, children }: StepProps) {
  const Mark = isDone ? CircleCheck : Circle;
  return (
    <li className="next-step">
      <Mark aria-hidden="true" size={18} />
      <div className="grow">
        <strong>{title}</strong> {isDone && <span className="badge published">{t('steps.done')}</span>}
        <p className="soft small">{hint}</p>
        {!isDone && <div className="row">{children}</div>}
      </div>
    </li>
  );
}

/** A model that works at once; offered while there is none, because a schema replaces the types that exist. */
function Templates() {
  const { slug: projectSlug } = useProject();
  const { isBusy, failure, run } = useCall();
  const apply = (template: TemplateName): Promise<void> =>
    run(async () => {
      await client.schema.applyDocument.mutate({ projectSlug, schema: templateOf(template) });
      notify(t('steps.applied'));
      await queryClient.invalidateQueries();
    });
  return (
    <>
      {templateNames.map((template) => (
        <button
          className="button"
          disabled={isBusy}
          key={template}
          onClick={() => void apply(template)}
          type="button"
        >
          {t(`steps.template.${template}`)}
        </button>
      ))}
      {failure !== undefined && (
        <p className="problem" role="alert">
          {failure.message}
        </p>
      )}
    </>
  );
}

/** Whether there is nothing to read yet. */
export const isNew = (types: readonly { readonly entryCount: number }[]): boolean =>
  types.every(({ entryCount }) => entryCount === 0);

/** What leads from an empty project to the first published page. */
export function NextSteps() {
  const { slug, environment, types, sites, may } = useProject();
  const [first] = types.filter(({ isBlock }) => !isBlock).sort((a, b) => Number(b.isPage) - Number(a.isPage));
  const linkTo = (to: string, text: string): ReactNode => (
    <Link className="button" to={['', slug, environment, to].join('/')}>
      {text}
    </Link>
  );
  return (
    <section aria-labelledby="next-steps" className="board next-steps">
      <h2 id="next-steps">{t('steps.title')}</h2>
      <ol className="plain">
        <Step hint={t('steps.modelHint')} isDone={first !== undefined} title={t('steps.model')}>
          {may('schema.applyDocument') && <Templates />}
          {may('contentTypes.create') && linkTo('content-types', t('steps.ownModel'))}
        </Step>
        <Step hint={t('steps.entryHint')} title={t('steps.entry')}>
          {first !== undefined &&
            may('entries.create', { contentType: first.apiName }) &&
            linkTo(`new/${first.apiName}`, t('palette.newEntry', { type: first.name }))}
        </Step>
        <Step hint={t('steps.siteHint')} isDone={sites.length > 0} title={t('steps.site')}>
          {may('sites.create') && linkTo('sites', t('sites.title'))}
        </Step>
        <Step
          hint={t('steps.previewHint')}
          isDone={sites.some(({ previewUrlTemplate }) => (previewUrlTemplate ?? '') !== '')}
          title={t('steps.preview')}
        >
          {may('sites.update') && linkTo('sites', t('sites.title'))}
        </Step>
        {may('users.create') && (
          <Step hint={t('steps.inviteHint')} title={t('steps.invite')}>
            {linkTo('users', t('users.title'))}
          </Step>
        )}
      </ol>
    </section>
  );
}
