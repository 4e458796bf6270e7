import { redo, undo } from 'prosemirror-history';
import type { Command, EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { useState, type KeyboardEvent } from 'react';
import type { Field } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import { blockStyle, hasMark, headingLevels, setBlockStyle, tools } from './commands.js';
import { markType } from './editor-state.js';
import { InsertTools } from './insert-tools.js';
import { LinkDialog } from './link-dialog.js';
import { ToolButton } from './tool-button.js';

interface Props {
  readonly view: EditorView;
  readonly field: Field;
  readonly label: string;
  /** Text that is only read can be commented on. */
  readonly isReadOnly: boolean;
  /** Comments on what is selected; absent for those who may not. */
  readonly onComment: ((state: EditorState) => void) | undefined;
}

/** Arrow keys move within a toolbar; Tab leaves it. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined || event.target instanceof HTMLSelectElement) return;
  const controls = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled), select')];
  const at = controls.indexOf(event.target as HTMLElement);
  controls[(at + step + controls.length) % controls.length]?.focus();
  event.preventDefault();
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

type ToolsProps = Pick<Props, 'view' | 'field'>;

/** What changes the text. */
function Tools({ view, field }: ToolsProps) {
  const [isLinking, setIsLinking] = useState(false);
  const { state } = view;
  const run = (command: Command): void => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
  const isLink = hasMark(state, markType('link'));
  return (
    <>
      <BlockStyle run={run} state={state} />
      {tools.map(({ label: name, sign, run: command, isOn }) => (
        <ToolButton
          isOff={!command(state)}
          isOn={isOn(state)}
          key={name}
          label={t(name)}
          onUse={() => run(command)}
        >
          {sign}
        </ToolButton>
      ))}
      <ToolButton
        isOff={state.selection.empty && !isLink}
        isOn={isLink}
        label={t('rich.link')}
        onUse={() => setIsLinking(true)}
      >
        <Icon name="open" />
      </ToolButton>
      <InsertTools field={field} run={run} />
      <ToolButton isOff={!undo(state)} label={t('rich.undo')} onUse={() => run(undo)}>
        ↶
      </ToolButton>
      <ToolButton isOff={!redo(state)} label={t('rich.redo')} onUse={() => run(redo)}>
        ↷
      </ToolButton>
      {isLinking && <LinkDialog field={field} onClose={() => setIsLinking(false)} run={run} state={state} />}
    </>
  );
}

export function Toolbar({ view, field, label, isReadOnly, onComment }: Props) {
  return (
    <div
      aria-label={t('rich.toolbar', { field: label })}
      className="toolbar"
      onKeyDown={moveFocus}
      role="toolbar"
    >
      {!isReadOnly && <Tools field={field} view={view} />}
      {onComment !== undefined && (
        <ToolButton
          isOff={view.state.selection.empty}
          label={t('comments.onSelection')}
          onUse={() => onComment(view.state)}
        >
          <Icon name="comment" />
        </ToolButton>
      )}
    </div>
  );
}
