import { useState } from 'react';
import { client } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { localesOf, typeOf, useProject, type Entry } from '../../api/project-data.js';
import { PlaceContext } from '../../editor/place.js';
import { titleOf } from '../../entries/entry-title.js';
import { EntryPicker } from '../../fields/entry-picker.js';
import { failureText, localeName, t } from '../../texts/index.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import { PersonOptions } from '../person-options.js';
import { refreshWork } from './use-tasks.js';

interface Props {
  readonly onClose: () => void;
}

interface EntryFieldProps {
  readonly entry: Entry | undefined;
  readonly onChoice: (entry: Entry) => void;
}

function EntryField({ entry, onChoice }: EntryFieldProps) {
  const project = useProject();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="field">
      <span className="label">{t('tasks.entry')}</span>
      <div className="linked">
        <span className={entry === undefined ? 'soft grow' : 'grow clip'}>
          {entry === undefined ? t('field.none') : titleOf(entry, typeOf(project, entry.contentTypeApiName))}
        </span>
        <button className="button" data-focus onClick={() => setIsOpen(true)} type="button">
          {t('pick.entry')}
        </button>
      </div>
      {isOpen && (
        <PlaceContext value={{ siteId: '', locale: localesOf(project)[0] ?? '' }}>
          <EntryPicker
            onChoice={(chosen) => {
              onChoice(chosen);
              setIsOpen(false);
            }}
            onClose={() => setIsOpen(false)}
            types={undefined}
          />
        </PlaceContext>
      )}
    </div>
  );
}

/** Of translations. */
const DueAndNote = () => (
  <>
    <label className="field">
      <span className="label">{t('planning.due')}</span>
      <input className="input date-time" name="due" type="datetime-local" />
    </label>
    <label className="field">
      <span className="label">{t('planning.note')}</span>
      <textarea className="area short" name="note" rows={2} />
    </label>
  </>
);

/** Gives an entry, or its translation into one locale, to someone. */
export function NewTask({ onClose }: Props) {
  const project = useProject();
  const { slug: projectSlug, may } = project;
  const [entry, setEntry] = useState<Entry>();
  const locales = localesOf(project);
  // Empty: the entry itself.
  const [locale, setLocale] = useState(may('entries.transition') ? '' : (locales[1] ?? ''));
  const [message, setMessage] = useState('');
  const assign = async (entryId: string, form: FormData): Promise<void> => {
    const assigneeId = form.get('assignee') as string;
    const due = form.get('due') as string | null;
    if (locale !== '') {
      await client.translations.update.mutate({
        ...{ projectSlug, entryId, locale, assigneeId },
        ...(due && { dueAt: new Date(due).toISOString() }),
        note: (form.get('note') as string) || null,
      });
      return;
    }
    const { data } = await client.entries.bulk.mutate({
      ...{ projectSlug, action: 'assign', entryIds: [entryId] },
      params: { assigneeId },
    });
    const [result] = data.results;
    if (result?.ok === false) throw new Error(failureText(result.error ?? '', result.message ?? ''));
  };
  const submit = async (form: FormData): Promise<void> => {
    if (entry === undefined) return setMessage(t('tasks.needsEntry'));
    try {
      await assign(entry.id, form);
      notify(t('tasks.assigned'));
      onClose();
    } catch (error) {
      const failure = failureOf(error);
      setMessage(failure.code === 'unexpected' ? (error as Error).message : failure.problem);
    }
    refreshWork();
  };
  return (
    <Dialog onClose={onClose} title={t('tasks.new')}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(new FormData(event.currentTarget));
        }}
      >
        <EntryField entry={entry} onChoice={setEntry} />
        <label className="field">
          <span className="label">{t('tasks.work')}</span>
          <select className="select" onChange={({ target }) => setLocale(target.value)} value={locale}>
            {may('entries.transition') && <option value="">{t('tasks.workEntry')}</option>}
            {may('translations.update') &&
              locales.map((one) => (
                <option key={one} value={one}>
                  {t('tasks.workTranslation', { locale: localeName(one) })}
                </option>
              ))}
          </select>
        </label>
        <label className="field">
          <span className="label">{t('planning.assignee')}</span>
          <select className="select" name="assignee" required>
            <PersonOptions />
          </select>
        </label>
        {locale !== '' && <DueAndNote />}
        <DialogFooter refusal={message} run={t('tasks.assign')} />
      </form>
    </Dialog>
  );
}
