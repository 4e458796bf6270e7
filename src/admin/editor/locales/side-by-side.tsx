import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
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
import { noProblems, type Problems } from '../problems.js';
import { contentOf } from '../use-entry-state.js';
import { useSaveKey } from '../../ui/hooks.js';
import { ColumnTitles, type OtherEditor } from './column-titles.js';
import { SideRow, type Side } from './side-row.js';
import { useBesideEntry, useTranslationWork } from './use-beside.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import { isChanged } from '../draft.js';

type Follow = EntryEditor['follow'];

/**
 * The editor of the locale beside the main one. What it saves is a version of the whole entry, which the main one
 * continues from.
 * @param entry as it was read last: what others change is shown unless something was typed
 */
function useOtherEditor(follow: Follow, entry: Entry): EntryEditor {
  const other = useEntryEditor(entry);
  useEffect(() => {
    if (other.progress.kind === 'saved') follow(other.stored());
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

type OtherSide = Pick<Side, 'content' | 'mayWrite' | 'change'> & {
  readonly problems: Problems;
};

interface ColumnsProps extends Props {
  readonly side: OtherSide;
  readonly other: OtherEditor | undefined;
}

function Columns({ editor, type, beside: locale, mayWriteField, side, other, children }: ColumnsProps) {
  const { saved, draft, change, problems } = editor;
  const { siteId } = saved;
  const works = useTranslationWork(saved);
  const [isOther, setIsOther] = useState(false);
  const own = { content: draft.now, change, problems, mayWrite: mayWriteField };
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
        problems={side.problems}
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

interface OtherProps {
  readonly entry: Entry;
  readonly type: ContentType;
  readonly follow: Follow;
  readonly onChange: (other: OtherEditor | undefined) => void;
}

/**
 * The other locale is edited, saved and recovered like the main one, in versions of the same entry. It is beside the
 * columns in the tree, not around them: when it has been read, the form that someone writes in stays as it is.
 */
const OtherLocale = memo(({ entry, type, follow, onChange }: OtherProps) => {
  const editor = useOtherEditor(follow, entry);
  const autosave = useAutosave(editor, true);
  const kept = useKeptDraft(editor, true);
  useSaveKey(() => {
    if (editor.isDirty && !editor.isBusy) void editor.save();
  });
  // Before the browser paints, and before React restores the value of an input.
  useLayoutEffect(() => {
    onChange({ editor, autosave });
    return () => onChange(undefined);
  });
  const { conflict, isDirty } = editor;
  return (
    <>
      {conflict !== undefined && <ConflictDialog conflict={conflict} editor={editor} type={type} />}
      <RecoveryDialog editor={editor} kept={kept} type={type} />
      <LeaveGuard isDirty={isDirty} onDiscard={kept.discard} onLeave={autosave.leave} />
    </>
  );
});

/** A function that stays the same, for what is not to be shown again with each key. */
function useFollow(editor: EntryEditor): Follow {
  const latest = useRef(editor);
  latest.current = editor;
  return useCallback((entry) => latest.current.follow(entry), []);
}

/** The edited locale with another one beside it, which is edited as well if the user may write it. */
export function SideBySide(props: Props) {
  const { editor: main, beside, type } = props;
  const { may } = useProject();
  const { data, error } = useBesideEntry(main.saved, beside);
  const [known, setKnown] = useState<OtherEditor>();
  const follow = useFollow(main);
  const entry = data?.data;
  const isEdited = entry !== undefined && may('entries.update', { locale: beside });
  // That of the locale before is given back after this.
  const other = known?.editor.saved.locale === beside ? known : undefined;
  const content = other?.editor.draft.now ?? (entry === undefined ? undefined : contentOf(entry));
  const mayWrite = ({ apiName, localized }: FieldKey): boolean =>
    other !== undefined && localized && may('entries.update', { locale: beside, field: apiName });
  const side: OtherSide = {
    content,
    mayWrite,
    change: (change) => other?.editor.change(change),
    problems: other?.editor.problems ?? noProblems,
  };
  return (
    <>
      {entry === undefined && (
        <p className={error === null ? 'soft' : 'problem'} role="status">
          {error === null ? t('app.loading') : failureOf(error).message}
        </p>
      )}
      {isEdited && <OtherLocale entry={entry} follow={follow} key={beside} onChange={setKnown} type={type} />}
      <Columns {...props} other={other} side={side} />
    </>
  );
}
