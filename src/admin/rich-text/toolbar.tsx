import { redo, undo } from 'prosemirror-history';
import type { Command, EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { useLayoutEffect, useRef, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react';
import type { Field } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import { Menu } from '../ui/menu.js';
import { allowedTargets, allowsSome } from './allowed-targets.js';
import { blockStyle, blockTools, headingLevels, linkIn, markTools, setBlockStyle } from './commands.js';
import { selectedPicture, type DialogName } from './editor-dialogs.js';
import { insertTable, isInTable, tableTools } from './tables.js';

interface Props {
  readonly view: EditorView;
  readonly field: Field;
  readonly label: string;
  /** Text that is only read can be commented on. */
  readonly isReadOnly: boolean;
  readonly run: (command: Command) => void;
  readonly onDialog: (name: DialogName) => void;
  readonly isFull: boolean;
  readonly onFull: () => void;
  /** Comments on what is selected; absent for those who may not. */
  readonly onComment: ((state: EditorState) => void) | undefined;
}

interface ButtonProps {
  readonly label: string;
  readonly keys?: string | undefined;
  readonly isOn?: boolean;
  readonly isOff?: boolean;
  readonly onUse: () => void;
  readonly children: ReactNode;
}

function ToolButton({ label, keys, isOn, isOff = false, onUse, children }: ButtonProps) {
  return (
    <button
      aria-label={label}
      aria-pressed={isOn}
      className="button icon plain"
      disabled={isOff}
      onClick={onUse}
      title={keys === undefined ? label : `${label} (${keys})`}
      type="button"
    >
      {children}
    </button>
  );
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** As people read them: `Ctrl+Shift+8`. */
const keysOf = (key: string | undefined): string | undefined =>
  key
    ?.replace('Mod', isMac ? '⌘' : 'Ctrl')
    .replaceAll('-', '+')
    .replace(/[a-z]$/, (letter) => letter.toUpperCase());

const controlsIn = (bar: HTMLElement): HTMLElement[] => [
  ...bar.querySelectorAll<HTMLElement>(':is(button, select):not(:disabled, [role^="menuitem"])'),
];

/** One control of the toolbar is a stop of Tab: the one that had the focus last. */
function useOneStop() {
  const bar = useRef<HTMLDivElement>(null);
  const stop = useRef<HTMLElement>(undefined);
  const mark = (): void => {
    if (bar.current === null) return;
    const controls = controlsIn(bar.current);
    if (stop.current === undefined || !controls.includes(stop.current)) stop.current = controls[0];
    for (const control of controls) control.tabIndex = control === stop.current ? 0 : -1;
  };
  // Controls are enabled and disabled with the selection.
  useLayoutEffect(mark);
  const onFocus = ({ target }: FocusEvent<HTMLElement>): void => {
    if (target.matches('[role^="menuitem"]')) return;
    stop.current = target;
    mark();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { key, target, currentTarget } = event;
    const controls = controlsIn(currentTarget);
    const at = controls.indexOf(target as HTMLElement);
    if (at < 0) return;
    const isList = target instanceof HTMLSelectElement;
    // A list that is closed would choose with each key.
    if (isList && (key === 'ArrowDown' || key === 'ArrowUp')) target.showPicker();
    const targets: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: controls.length - 1,
      ...(isList && { ArrowDown: at, ArrowUp: at }),
    };
    const next = targets[key];
    if (next === undefined) return;
    controls[(next + controls.length) % controls.length]?.focus();
    event.preventDefault();
  };
  return { ref: bar, onFocus, onKeyDown };
}

interface StyleProps {
  readonly state: EditorState;
  readonly run: (command: Command) => void;
}

function BlockStyle({ state, run }: StyleProps) {
  return (
    <select
      aria-label={t('rich.style')}
      className="select compact"
      onChange={({ target }) => run(setBlockStyle(target.value))}
      value={blockStyle(state)}
    >
      <option value="paragraph">{t('rich.paragraph')}</option>
      {headingLevels.map((level) => (
        <option key={level} value={level}>
          {t('rich.heading', { level })}
        </option>
      ))}
      <option value="codeBlock">{t('rich.codeBlock')}</option>
    </select>
  );
}

type ToolsProps = Pick<Props, 'view' | 'field' | 'run' | 'onDialog'>;

/** What changes the text. */
function Tools({ view: { state }, field, run, onDialog }: ToolsProps) {
  const { mark: link } = linkIn(state);
  const links = allowedTargets(field, 'allowedLinks');
  const embeds = allowedTargets(field, 'allowedEmbeds');
  return (
    <>
      <BlockStyle run={run} state={state} />
      {[...markTools, ...blockTools].map(({ label: name, sign, icon, key, run: command, isOn }) => (
        <ToolButton
          isOff={!command(state)}
          isOn={isOn(state)}
          key={name}
          keys={keysOf(key)}
          label={t(name)}
          onUse={() => run(command)}
        >
          {icon === undefined ? sign : <Icon name={icon} />}
        </ToolButton>
      ))}
      <ToolButton
        isOff={state.selection.empty && link === undefined}
        isOn={link !== undefined}
        label={t('rich.link')}
        onUse={() => onDialog('link')}
      >
        <Icon name="open" />
      </ToolButton>
      {allowsSome(links.entries) && (
        <ToolButton label={t('rich.mention')} onUse={() => onDialog('entryMention')}>
          @
        </ToolButton>
      )}
      {allowsSome(embeds.entries) && (
        <ToolButton label={t('rich.entry')} onUse={() => onDialog('entryEmbed')}>
          <Icon name="entry" />
        </ToolButton>
      )}
      {allowsSome(embeds.assets) && (
        <ToolButton label={t('rich.asset')} onUse={() => onDialog('assetEmbed')}>
          <Icon name="picture" />
        </ToolButton>
      )}
      {selectedPicture(state) !== undefined && (
        <ToolButton keys="Enter" label={t('rich.picture')} onUse={() => onDialog('picture')}>
          <Icon name="edit" />
        </ToolButton>
      )}
      {isInTable(state) ? (
        <Menu
          items={tableTools
            .filter(({ run: command }) => command(state))
            .map(({ label: name, run: command }) => ({
              key: name,
              label: t(name),
              onSelect: () => run(command),
            }))}
          label={t('rich.table')}
        />
      ) : (
        <ToolButton label={t('rich.table.insert')} onUse={() => run(insertTable)}>
          <Icon name="table" />
        </ToolButton>
      )}
      <ToolButton isOff={!undo(state)} keys={keysOf('Mod-z')} label={t('rich.undo')} onUse={() => run(undo)}>
        ↶
      </ToolButton>
      <ToolButton isOff={!redo(state)} keys={keysOf('Mod-y')} label={t('rich.redo')} onUse={() => run(redo)}>
        ↷
      </ToolButton>
    </>
  );
}

/** One stop of Tab. Arrow keys, Home and End move in it. */
export function Toolbar({ label, isReadOnly, isFull, onFull, onComment, ...tools }: Props) {
  return (
    <div
      {...useOneStop()}
      aria-label={t('rich.toolbar', { field: label })}
      className="toolbar"
      // Pointers leave the focus in the text.
      onMouseDown={(event) => {
        if (!(event.target instanceof HTMLSelectElement)) event.preventDefault();
      }}
      role="toolbar"
    >
      {!isReadOnly && <Tools {...tools} />}
      {onComment !== undefined && (
        <ToolButton
          isOff={tools.view.state.selection.empty}
          label={t('comments.onSelection')}
          onUse={() => onComment(tools.view.state)}
        >
          <Icon name="comment" />
        </ToolButton>
      )}
      <ToolButton isOn={isFull} label={t('rich.full')} onUse={onFull}>
        <Icon name="full" />
      </ToolButton>
    </div>
  );
}
