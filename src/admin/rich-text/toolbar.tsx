import { redo, undo } from 'prosemirror-history';
import type { Command, EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { AssetPicker } from '../media/asset-picker.js';
import { t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import { blockStyle, hasMark, headingLevels, setBlockStyle, tools } from './commands.js';
import { markType, nodeType } from './editor-state.js';
import { LinkDialog } from './link-dialog.js';

interface Props {
  readonly view: EditorView;
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

interface ToolProps {
  readonly label: string;
  readonly isOn?: boolean;
  readonly isOff?: boolean;
  readonly onUse: () => void;
  readonly children: ReactNode;
}

function ToolButton({ label, isOn, isOff = false, onUse, children }: ToolProps) {
  return (
    <button
      aria-label={label}
      aria-pressed={isOn}
      className="button icon plain"
      disabled={isOff}
      onClick={onUse}
      title={label}
      type="button"
    >
      {children}
    </button>
  );
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

const insertAsset =
  (assetId: string): Command =>
  (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(nodeType('assetEmbed').create({ assetId })));
    return true;
  };

type ToolsProps = Pick<Props, 'view'>;

/** What changes the text. */
function Tools({ view }: ToolsProps) {
  const [open, setOpen] = useState<'link' | 'asset'>();
  const { state } = view;
  const run = (command: Command): void => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
  const close = (): void => setOpen(undefined);
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
        onUse={() => setOpen('link')}
      >
        <Icon name="open" />
      </ToolButton>
      <ToolButton label={t('rich.asset')} onUse={() => setOpen('asset')}>
        <Icon name="file" />
      </ToolButton>
      <ToolButton isOff={!undo(state)} label={t('rich.undo')} onUse={() => run(undo)}>
        ↶
      </ToolButton>
      <ToolButton isOff={!redo(state)} label={t('rich.redo')} onUse={() => run(redo)}>
        ↷
      </ToolButton>
      {open === 'link' && <LinkDialog onClose={close} run={run} state={state} />}
      {open === 'asset' && (
        <AssetPicker
          onChoice={({ id }) => {
            close();
            run(insertAsset(id));
          }}
          onClose={close}
          types={undefined}
        />
      )}
    </>
  );
}

export function Toolbar({ view, label, isReadOnly, onComment }: Props) {
  return (
    <div
      aria-label={t('rich.toolbar', { field: label })}
      className="toolbar"
      onKeyDown={moveFocus}
      role="toolbar"
    >
      {!isReadOnly && <Tools view={view} />}
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
