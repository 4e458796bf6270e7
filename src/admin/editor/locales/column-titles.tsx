import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useProject } from '../../api/project-data.js';
import { localeName, t } from '../../texts/index.js';
import { SaveState } from '../autosave/save-state.js';
import type { Autosave } from '../autosave/use-autosave.js';
import type { EntryEditor } from '../use-entry-editor.js';
import { CopyLocaleDialog } from './copy-locale-dialog.js';
import { LocaleTitle } from './locale-title.js';
import { useShowBeside, type TranslationWork } from './use-beside.js';

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
