import { useState } from 'react';
import { client, type Outputs } from '../api/client.js';
import { apiOrigin } from '../api/origin.js';
import { useProject, type ContentType } from '../api/project-data.js';
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
  const problems = [...problemsOf(issues, editor.saved.fields)];
  return (
    <div aria-live="polite" className="stack">
      <p className={isPublishable ? 'small' : 'problem'}>
        {t(isPublishable ? 'check.ready' : 'check.notReady', { version })}
      </p>
      <ul>
        {problems.map(([field, messages]) => (
          <li className="small" key={field}>
            <strong>{pathText({ project, type, known: [editor.saved.fields] }, field)}</strong>{' '}
            {messages.join(' ')}
          </li>
        ))}
        {warnings.map(({ path, message }) => (
          <li className="small soft" key={path.join('.') + message}>
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Checks the saved draft as publishing does. */
function Check({ editor, type }: Pick<Props, 'editor' | 'type'>) {
  const { saved, isDirty } = editor;
  const { slug: projectSlug } = useProject();
  const [validation, setValidation] = useState<Validation>();
  const check = async (): Promise<void> => {
    try {
      const call = { projectSlug, id: saved.id, locale: saved.locale };
      setValidation((await client.entries.validate.query(call)).data);
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <section aria-label={t('check.title')} className="stack">
      <h3>{t('check.title')}</h3>
      <button className="button" onClick={() => void check()} type="button">
        {t('check.run')}
      </button>
      {isDirty && <p className="hint">{t('check.unsaved')}</p>}
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
