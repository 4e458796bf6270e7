import { useState, type ReactNode, useEffect } from 'react';
import { failureOf } from '../../api/failure.js';
import { useProject, type ContentType, type Entry } from '../../api/project-data.js';
import { localeName, t } from '../../texts/index.js';
import { RecoveryDialog } from '../autosave/recovery-dialog.js';
import { useAutosave } from '../autosave/use-autosave.js';
import { useKeptDraft } from '../autosave/use-kept-draft.js';
import { ConflictDialog } from '../conflict-dialog.js';
import type { FieldKey } from '../field-form.js';
import { LeaveGuard } from '../leave-guard.js';
import { type EntryEditor, useEntryEditor } from '../use-entry-editor.js';
import { ProblemList, showBeside } from '../problem-list.js';
import { noProblems } from '../problems.js';
import { contentOf } from '../use-entry-state.js';
import { useSaveKey } from '../../ui/hooks.js';
import { Loading } from '../../ui/states.js';
import { ColumnTitles, type OtherEditor } from './column-titles.js';
import { SideRow, type Side } from './side-row.js';
import { useBesideEntry, useTranslationWork } from './use-beside.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import { isChanged } from '../draft.js';

/**
 * The editor of the locale beside the main one. What it saves is a version of the whole entry, which the main one
 * continues from.
 * @param entry as it was read last: what others change is shown unless something was typed
 */
function useOtherEditor(main: EntryEditor, entry: Entry): EntryEditor {
  const other = useEntryEditor(entry);
  useEffect(() => {
    if (other.progress.kind === 'saved') main.follow(other.stored());
  }, [other.progress]);
  useEffect(() => {
    const isNews = entry.version >= other.stored().version && !isChanged(other.latest());
    if (isNews && !isEqualJson(contentOf(entry), other.latest().base)) other.adopt(entry);
  }, [entry]);
  return other;
}

interface Props {
  readonly editor: EntryEditor;
  readonly type: ContentType;
  readonly beside: string;
  readonly mayWriteField: (field: FieldKey) => boolean;
  /** The form, which shows each row with what is beside it. */
  readonly children: (around: (field: FieldKey, row: ReactNode) => ReactNode) => ReactNode;
}

interface SwitchProps {
  readonly main: string;
  readonly other: string;
  readonly isOther: boolean;
  readonly onChange: (isOther: boolean) => void;
}

/** Narrow screens show one of both. */
function ColumnSwitch({ main, other, isOther, onChange }: SwitchProps) {
  return (
    <div aria-label={t('beside.shown')} className="row locale-switch" role="group">
      {[main, other].map((locale, index) => (
        <button
          aria-pressed={isOther === (index === 1)}
          className="button"
          key={locale}
          onClick={() => onChange(index === 1)}
          type="button"
        >
          {localeName(locale)}
        </button>
      ))}
    </div>
  );
}

type OtherSide = Pick<Side, 'content' | 'mayWrite' | 'change' | 'problems'>;

interface ColumnsProps extends Props {
  readonly side: OtherSide;
  readonly other?: OtherEditor;
}

function Columns({ editor, type, beside: locale, mayWriteField, side, other, children }: ColumnsProps) {
  const { saved, draft, change } = editor;
  const { siteId } = saved;
  const works = useTranslationWork(saved);
  const [isOther, setIsOther] = useState(false);
  const own = { content: draft.now, change, mayWrite: mayWriteField };
  const sideOf = (code: string, values: OtherSide): Side => ({
    siteId,
    locale: code,
    work: works.get(code),
    ...values,
  });
  return (
    <div className={isOther ? 'locale-columns shows-other' : 'locale-columns'}>
      <ColumnSwitch isOther={isOther} main={saved.locale} onChange={setIsOther} other={locale} />
      <ColumnTitles editor={editor} locale={locale} works={works} other={other} />
      <ProblemList
        onShow={(path) => {
          setIsOther(true);
          // Narrow screens show the other column first.
          setTimeout(showBeside, 0, path);
        }}
        problems={side.problems ?? noProblems}
        title={t('problems.in', { locale: localeName(locale) })}
        type={type}
        values={side.content?.fields ?? {}}
      />
      {children((field, row) => (
        <SideRow type={type} field={field} main={sideOf(saved.locale, own)} other={sideOf(locale, side)}>
          {row}
        </SideRow>
      ))}
    </div>
  );
}

/** The other locale is edited, saved and recovered like the main one, in versions of the same entry. */
function EditableColumns({ entry, ...props }: Props & { readonly entry: Entry }) {
  const { editor: main, type, beside } = props;
  const { may } = useProject();
  const editor = useOtherEditor(main, entry);
  const autosave = useAutosave(editor, true);
  const kept = useKeptDraft(editor, true);
  useSaveKey(() => {
    if (editor.isDirty && !editor.isBusy) void editor.save();
  });
  const mayWrite = ({ apiName, localized }: FieldKey): boolean =>
    localized && may('entries.update', { locale: beside, field: apiName });
  const { draft, change, problems, conflict, isDirty } = editor;
  return (
    <>
      <Columns
        {...props}
        other={{ editor, autosave }}
        side={{ content: draft.now, change, mayWrite, problems }}
      />
      {conflict !== undefined && <ConflictDialog conflict={conflict} editor={editor} type={type} />}
      <RecoveryDialog editor={editor} kept={kept} type={type} />
      <LeaveGuard isDirty={isDirty} onDiscard={kept.discard} onLeave={autosave.leave} />
    </>
  );
}

/**
 * The edited locale with another one beside it, which is edited as well if the user may write it. The form is shown once
 * both are loaded: shown earlier, it would be rendered again, which moves it and folds its blocks while the user types.
 */
export function SideBySide(props: Props) {
  const { editor, beside } = props;
  const { may } = useProject();
  const { data, error, isFetched } = useBesideEntry(editor.saved, beside);
  const entry = data?.data;
  if (entry !== undefined && may('entries.update', { locale: beside }))
    return <EditableColumns {...props} entry={entry} key={beside} />;
  // Later attempts, of which each save makes one, leave the form where it is.
  if (!isFetched)
    return (
      <div className="form-loading">
        <Loading />
      </div>
    );
  const content = entry === undefined ? undefined : contentOf(entry);
  const side: OtherSide = { content, mayWrite: () => false, change: () => undefined };
  return (
    <>
      {entry === undefined && (
        <p className={error === null ? 'soft' : 'problem'} role="status">
          {error === null ? t('app.loading') : failureOf(error).message}
        </p>
      )}
      <Columns {...props} side={side} />
    </>
  );
}
