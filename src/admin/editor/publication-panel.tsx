import { useState } from 'react';
import { client, type Outputs } from '../api/client.js';
import { apiOrigin } from '../api/origin.js';
import { useProject, type ContentType } from '../api/project-data.js';
import { IssueText, useMessageOf } from '../fields/issue-text.js';
import { formatTime, t } from '../texts/index.js';
import { IconButton } from '../ui/icon-button.js';
import { notifyFailure } from '../ui/toasts.js';
import { pathText } from './path-text.js';
import { problemsOf } from './problems.js';
import { Schedules } from './schedule-form.js';
import type { EntryEditor } from './use-entry-editor.js';

type Validation = Outputs['entries']['validate']['data'];
type Link = Outputs['entries']['preview']['data'];

interface Props {
  readonly editor: EntryEditor;
  readonly type: ContentType;
  readonly onClose: () => void;
}

function Findings({
  validation: { version, issues, warnings, isPublishable },
  type,
  editor,
}: Pick<Props, 'editor' | 'type'> & { readonly validation: Validation }) {
  const project = useProject();
  const messageOf = useMessageOf();
  const problems = [...problemsOf(issues, editor.saved.fields, messageOf)];
  return (
    <div aria-live="polite" className="stack">
      <p className={isPublishable ? 'small' : 'problem'}>
        {t(isPublishable ? 'check.ready' : 'check.notReady', { version })}
      </p>
      <ul>
        {problems.map(([field, messages]) => (
          <li className="small" key={field}>
            <strong>{pathText({ project, type, known: [editor.saved.fields] }, field)}</strong>{' '}
            <IssueText text={messages.join(' ')} />
          </li>
        ))}
        {warnings.map((warning) => (
          <li className="small soft" key={warning.path.join('.') + warning.message}>
            <IssueText text={messageOf(warning)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Saves and checks the draft as publishing does; what is wrong is marked in the form as well. */
function Check({ editor, type }: Pick<Props, 'editor' | 'type'>) {
  const { saved, isBusy } = editor;
  const [validation, setValidation] = useState<Validation>();
  const check = async (): Promise<void> => setValidation(await editor.check());
  return (
    <section aria-label={t('check.title')} className="stack">
      <h3>{t('check.title')}</h3>
      <button className="button" disabled={isBusy} onClick={() => void check()} type="button">
        {t('check.run')}
      </button>
      {validation?.version === saved.version && <Findings {...{ validation, type, editor }} />}
    </section>
  );
}

/** A link with which anyone can read the saved draft for a while. */
function Preview({ editor: { saved } }: Pick<Props, 'editor'>) {
  const { slug: projectSlug } = useProject();
  const [link, setLink] = useState<Link>();
  const create = async (): Promise<void> => {
    try {
      const call = { projectSlug, id: saved.id, locale: saved.locale };
      setLink((await client.entries.preview.mutate(call)).data);
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <section aria-label={t('preview.title')} className="stack">
      <h3>{t('preview.title')}</h3>
      <button className="button" onClick={() => void create()} type="button">
        {t('preview.create')}
      </button>
      {link !== undefined && (
        <p className="small">
          <a
            href={new URL(link.url, apiOrigin || window.location.origin).href}
            rel="noopener noreferrer"
            target="_blank"
          >
            {t('preview.open')}
          </a>{' '}
          <span className="soft">{t('preview.until', { time: formatTime(link.expiresAt) })}</span>
        </p>
      )}
    </section>
  );
}

/** What comes before and after publishing: a check, a preview, schedules. */
export function PublicationPanel({ editor, type, onClose }: Props) {
  return (
    <aside aria-label={t('publication.title')} className="panel">
      <div className="row">
        <h2 className="grow">{t('publication.title')}</h2>
        <IconButton icon="close" label={t('app.close')} onClick={onClose} />
      </div>
      <Check editor={editor} type={type} />
      <Preview editor={editor} />
      <Schedules editor={editor} />
    </aside>
  );
}
