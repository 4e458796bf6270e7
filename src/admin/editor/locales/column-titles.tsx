import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useProject, type Entry } from '../../api/project-data.js';
import { localeName, t } from '../../texts/index.js';
import { SaveState } from '../autosave/save-state.js';
import type { Autosave } from '../autosave/use-autosave.js';
import type { EntryEditor } from '../use-entry-editor.js';
import { useShowBeside, type TranslationWork } from './use-beside.js';
import { translationText } from '../../planning/translations/statuses.js';
import { client } from '../../api/client.js';
import { useCall } from '../../api/use-call.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';

interface CopyLocaleDialogProps {
  readonly editor: EntryEditor;
  readonly from: string;
  readonly onClose: () => void;
}

const extents = [
  { overwrite: false, text: 'beside.copyEmpty' },
  { overwrite: true, text: 'beside.copyEvery' },
] as const;

/** Copies the values of another locale into the edited one. What was typed is saved before. */
function CopyLocaleDialog({ editor, from, onClose }: CopyLocaleDialogProps) {
  const { slug: projectSlug } = useProject();
  const [overwrite, setOverwrite] = useState(false);
  const { isBusy, failure, run } = useCall();
  const { id, locale } = editor.saved;
  const copy = (): Promise<void> =>
    run(async () => {
      const { data } = await editor.afterSave((version) =>
        client.entries.copyLocale.mutate({
          projectSlug,
          id,
          version,
          overwrite,
          fromLocale: from,
          toLocale: locale,
        }),
      );
      notify(t('beside.copied', { locale: localeName(from) }), editor.adopt(data));
      onClose();
    });
  return (
    <Dialog
      onClose={onClose}
      title={t('beside.copyTitle', { from: localeName(from), to: localeName(locale) })}
    >
      {extents.map((extent) => (
        <label className="choice" key={extent.text}>
          <input
            checked={overwrite === extent.overwrite}
            data-focus={overwrite === extent.overwrite ? true : undefined}
            name="copy-extent"
            onChange={() => setOverwrite(extent.overwrite)}
            type="radio"
          />
          {t(extent.text)}
        </label>
      ))}
      <DialogFooter
        disabled={isBusy}
        onCancel={onClose}
        onRun={copy}
        refusal={failure?.problem}
        run={t('beside.copyRun')}
      />
    </Dialog>
  );
}

/** Why a translation is stale, if it is. */
function reasonOf({ status, staleReason, staleComment, outdatedFields }: TranslationWork) {
  if (status !== 'stale' && outdatedFields.length === 0) return undefined;
  if (staleReason === 'marked') return staleComment ?? t('beside.staleMarked');
  return t('beside.staleSource', { count: outdatedFields.length });
}

interface LocaleTitleProps {
  readonly entry: Entry;
  readonly locale: string;
  /** Absent for the source. */
  readonly work: TranslationWork | undefined;
  readonly children: ReactNode;
}

/** The head of a column: the locale, its status, and whether it is up to date. */
function LocaleTitle({ entry, locale, work, children }: LocaleTitleProps) {
  const status = entry.locales.find((one) => one.locale === locale)?.status ?? 'missing';
  const reason = work === undefined ? undefined : reasonOf(work);
  return (
    <div className="locale-title">
      <p className="row">
        <strong>{localeName(locale)}</strong>
        <span className={`badge ${status}`}>{t(`status.${status}`)}</span>
        {work !== undefined && <span className="badge">{translationText(work.status)}</span>}
      </p>
      {reason !== undefined && <p className="notice stale-reason">{reason}</p>}
      <p className="row">{children}</p>
    </div>
  );
}

export interface OtherEditor {
  readonly editor: EntryEditor;
  readonly autosave: Autosave;
}

interface Props {
  readonly editor: EntryEditor;
  readonly locale: string;
  readonly works: ReadonlyMap<string, TranslationWork>;
  /** Absent: the other locale can only be read. */
  readonly other: OtherEditor | undefined;
}

function SaveOther({ editor, autosave }: OtherEditor) {
  return (
    <>
      <button
        className="button"
        disabled={editor.isBusy || !editor.isDirty}
        onClick={() => void editor.save()}
        type="button"
      >
        {editor.isBusy ? t('entry.saving') : t('beside.save', { locale: localeName(editor.saved.locale) })}
      </button>
      <SaveState autosave={autosave} editor={editor} />
    </>
  );
}

/** The heads of both columns, with what is done with a whole locale. */
export function ColumnTitles({ editor, locale: shown, works, other }: Props) {
  const { may } = useProject();
  const navigate = useNavigate({ from: '/$project/$environment/entries/$entry' });
  const show = useShowBeside();
  const [isCopying, setIsCopying] = useState(false);
  const { saved } = editor;
  const { locale } = saved;
  const isWritten = saved.locales.some((one) => one.locale === shown);
  return (
    <div className="locale-row">
      <div className="locale-cell main">
        <LocaleTitle entry={saved} locale={locale} work={works.get(locale)}>
          {may('entries.copyLocale', { locale }) && isWritten && (
            <button className="button" onClick={() => setIsCopying(true)} type="button">
              {t('beside.copyAll', { locale: localeName(shown) })}
            </button>
          )}
        </LocaleTitle>
      </div>
      <div className="locale-cell other">
        <LocaleTitle entry={saved} locale={shown} work={works.get(shown)}>
          <button
            className="button"
            onClick={() =>
              void navigate({
                search: (now) => ({ ...now, locale: shown, beside: locale, thread: undefined }),
              })
            }
            type="button"
          >
            {t('beside.swap')}
          </button>
          <button className="button" onClick={() => show(undefined)} type="button">
            {t('beside.close')}
          </button>
          {other === undefined ? (
            <span className="soft small">{t('beside.readOnly')}</span>
          ) : (
            <SaveOther {...other} />
          )}
        </LocaleTitle>
      </div>
      {isCopying && <CopyLocaleDialog editor={editor} from={shown} onClose={() => setIsCopying(false)} />}
    </div>
  );
}
