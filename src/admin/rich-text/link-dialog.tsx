import { toggleMark } from 'prosemirror-commands';
import type { Mark } from 'prosemirror-model';
import type { Command, EditorState } from 'prosemirror-state';
import { useState } from 'react';
import type { Field } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { allowedTargets } from './allowed-targets.js';
import { markType } from './editor-state.js';
import { attributesOf, LinkTargetFields, targetOf } from './link-target.js';

interface Props {
  readonly field: Field;
  readonly state: EditorState;
  readonly run: (command: Command) => void;
  readonly onClose: () => void;
}

const link = markType('link');

interface FoundLink {
  readonly from: number;
  readonly to: number;
  readonly mark: Mark | undefined;
}

/** The link at the cursor, as far as it goes, or of the selection. */
function linkIn({ doc, selection: { from, to, empty, $from } }: EditorState): FoundLink {
  if (!empty) {
    let mark: Mark | undefined;
    doc.nodesBetween(from, to, ({ marks }) => {
      mark ??= link.isInSet(marks);
    });
    return { from, to, mark };
  }
  const mark = link.isInSet($from.marks());
  let found = { from, to };
  let run = { from: $from.start(), to: $from.start() };
  $from.parent.forEach((node, offset) => {
    const end = $from.start() + offset + node.nodeSize;
    if (mark?.isInSet(node.marks) !== true) run = { from: end, to: end };
    else run.to = end;
    if (run.from < run.to && run.from <= from && run.to >= from) found = run;
  });
  return { ...found, mark };
}

/** Sets the target of a link, which keeps its title and frame. */
function setLink({ from, to, mark }: FoundLink, attrs: Readonly<Record<string, string | null>>): Command {
  if (mark === undefined) return toggleMark(link, attrs);
  const { title, target, rel } = mark.attrs as Readonly<Record<string, unknown>>;
  return (state, dispatch) => {
    dispatch?.(state.tr.addMark(from, to, link.create({ title, target, rel, ...attrs })));
    return true;
  };
}

export function LinkDialog({ field, state, run, onClose }: Props) {
  const found = linkIn(state);
  const { from, to, mark } = found;
  const [target, setTarget] = useState(() => targetOf(mark?.attrs));
  const attrs = attributesOf(target);
  const finish = (command: Command): void => {
    onClose();
    run(command);
  };
  const remove: Command = (current, dispatch) => {
    dispatch?.(current.tr.removeMark(from, to, link));
    return true;
  };
  return (
    <Dialog onClose={onClose} title={t('rich.link')}>
      <LinkTargetFields
        allowed={allowedTargets(field, 'allowedLinks')}
        onChange={setTarget}
        target={target}
      />
      <div className="actions">
        {mark !== undefined && (
          <button className="button" onClick={() => finish(remove)} type="button">
            {t('rich.linkRemove')}
          </button>
        )}
        <button
          className="button primary"
          disabled={attrs === undefined}
          onClick={() => {
            if (attrs !== undefined) finish(setLink(found, attrs));
          }}
          type="button"
        >
          {t('rich.linkSet')}
        </button>
      </div>
    </Dialog>
  );
}
