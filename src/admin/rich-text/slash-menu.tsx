import { Plugin, PluginKey, type Command, type EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import type { Field } from '../api/project-data.js';
import { matchesWords } from '../palette/match-words.js';
import { t } from '../texts/index.js';
import { allowedTargets, allowsSome } from './allowed-targets.js';
import { blockTools, setBlockStyle } from './commands.js';
import type { DialogName } from './editor-dialogs.js';
import { insertTable } from './tables.js';

interface Slash {
  /** Position of the slash; what was typed after it ends at the cursor. */
  readonly from: number;
  readonly typed: string;
  readonly active: number;
  readonly isDismissed: boolean;
}

interface Choice {
  readonly label: string;
  /** What it does to the text, or the dialog that it opens. */
  readonly use: Command | DialogName;
}

const key = new PluginKey<Slash | null>('slash');

const TYPED = /(?:^|\s)\/([\p{L}\p{N}]*)$/u;
const HEADINGS = [1, 2, 3] as const;

/** What a field lets be inserted. */
function choicesOf(field: Field): readonly Choice[] {
  const links = allowedTargets(field, 'allowedLinks');
  const embeds = allowedTargets(field, 'allowedEmbeds');
  return [
    { label: t('rich.paragraph'), use: setBlockStyle('paragraph') },
    ...HEADINGS.map((level) => ({ label: t('rich.heading', { level }), use: setBlockStyle(String(level)) })),
    ...blockTools.map(({ label, run }) => ({ label: t(label), use: run })),
    { label: t('rich.codeBlock'), use: setBlockStyle('codeBlock') },
    { label: t('rich.table.insert'), use: insertTable },
    ...(allowsSome(embeds.assets) ? [{ label: t('rich.asset'), use: 'assetEmbed' as const }] : []),
    ...(allowsSome(embeds.entries) ? [{ label: t('rich.entry'), use: 'entryEmbed' as const }] : []),
    ...(allowsSome(links.entries) ? [{ label: t('rich.mention'), use: 'entryMention' as const }] : []),
  ];
}

function typedIn({ selection: { empty, $from } }: EditorState): Pick<Slash, 'from' | 'typed'> | undefined {
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code === true) return undefined;
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '\ufffc');
  const [, typed] = TYPED.exec(before) ?? [];
  return typed === undefined ? undefined : { from: $from.pos - typed.length - 1, typed };
}

/** The menu that is open, with what matches; undefined if none is. */
export function openSlash(state: EditorState, field: Field) {
  const slash = key.getState(state);
  if (slash === null || slash === undefined || slash.isDismissed) return undefined;
  const choices = choicesOf(field).filter(
    ({ label, use }) =>
      matchesWords(slash.typed, label) && (typeof use === 'string' || use(state) || use !== insertTable),
  );
  const { length } = choices;
  return length === 0
    ? undefined
    : { ...slash, choices, active: ((slash.active % length) + length) % length };
}

export const slashOptionId = (id: string, index: number): string => `${id}-slash-${String(index)}`;

type OnDialog = (name: DialogName) => void;

/** Removes what was typed, and does what was chosen. */
function choose(view: EditorView, { from, use }: Choice & Pick<Slash, 'from'>, onDialog: OnDialog): void {
  view.dispatch(view.state.tr.delete(from, view.state.selection.from));
  if (typeof use === 'string') onDialog(use);
  else {
    use(view.state, view.dispatch, view);
    view.focus();
  }
}

/** A slash at the start of a word opens a menu of what can be inserted. */
export const slashMenu = (field: () => Field, onDialog: OnDialog): Plugin<Slash | null> =>
  new Plugin<Slash | null>({
    key,
    state: {
      init: () => null,
      apply: (tr, before, ...[, state]) => {
        const typed = typedIn(state);
        // Only typing opens it.
        if (typed === undefined || (before === null && !tr.docChanged)) return null;
        const change = tr.getMeta(key) as Partial<Slash> | undefined;
        const isSame = before?.from === typed.from;
        const { active = 0, isDismissed = false } = { ...(isSame ? before : {}), ...change };
        return { ...typed, active: before?.typed === typed.typed ? active : 0, isDismissed };
      },
    },
    props: {
      handleKeyDown: (view, event) => {
        const open = event.isComposing ? undefined : openSlash(view.state, field());
        if (open === undefined) return false;
        const { active, choices, from } = open;
        const set = (change: Partial<Slash>): void => view.dispatch(view.state.tr.setMeta(key, change));
        const chosen = choices[active];
        if (event.key === 'ArrowDown') set({ active: active + 1 });
        else if (event.key === 'ArrowUp') set({ active: active - 1 });
        else if (event.key === 'Escape') {
          // It does not leave the window as well.
          event.stopPropagation();
          set({ isDismissed: true });
        } else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined)
          choose(view, { ...chosen, from }, onDialog);
        else return false;
        return true;
      },
      handleDOMEvents: {
        blur: (view) => {
          if (key.getState(view.state)) view.dispatch(view.state.tr.setMeta(key, { isDismissed: true }));
        },
      },
    },
  });

interface Props {
  readonly id: string;
  readonly view: EditorView;
  readonly field: Field;
  readonly onDialog: OnDialog;
}

const WIDTH = 240;
const HEIGHT = 400;

/** Beside the slash, above it where there is no room below. */
function placeOf(view: EditorView, from: number) {
  const frame = view.dom.parentElement?.parentElement?.getBoundingClientRect() ?? new DOMRect();
  const { left, top, bottom } = view.coordsAtPos(from);
  const isAbove = window.innerHeight - bottom < HEIGHT && top > HEIGHT;
  return {
    left: Math.max(0, Math.min(left - frame.left, frame.width - WIDTH)),
    ...(isAbove ? { bottom: frame.bottom - top + 4 } : { top: bottom - frame.top + 4 }),
  };
}

/** The focus stays in the text, which names the active option. */
export function SlashMenu({ id, view, field, onDialog }: Props) {
  const open = openSlash(view.state, field);
  if (open === undefined) return null;
  return (
    <ul
      aria-label={t('rich.insert')}
      className="slash-menu"
      id={`${id}-slash`}
      role="listbox"
      style={placeOf(view, open.from)}
    >
      {open.choices.map((choice, index) => (
        <li
          aria-selected={index === open.active}
          className="menu-item"
          id={slashOptionId(id, index)}
          key={choice.label}
          onClick={() => choose(view, { ...choice, from: open.from }, onDialog)}
          // The focus stays in the text.
          onMouseDown={(event) => event.preventDefault()}
          role="option"
        >
          {choice.label}
        </li>
      ))}
    </ul>
  );
}
