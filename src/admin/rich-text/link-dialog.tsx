import { toggleMark } from 'prosemirror-commands';
import type { Mark } from 'prosemirror-model';
import type { Command, EditorState } from 'prosemirror-state';
import { useState } from 'react';
import { isSafeHref } from '../../content/rich-text/safe-href.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { markType } from './editor-state.js';

interface Props {
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

export function LinkDialog({ state, run, onClose }: Props) {
  const { from, to, mark } = linkIn(state);
  const [href, setHref] = useState((mark?.attrs.href as string | null | undefined) ?? '');
  const isSafe = href === '' || isSafeHref(href);
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
      <label className="field">
        <span className="label">{t('rich.linkAddress')}</span>
        <input
          aria-invalid={!isSafe}
          data-focus
          className="input"
          onChange={({ target }) => setHref(target.value)}
          value={href}
        />
        {!isSafe && <span className="problem">{t('rich.linkInvalid')}</span>}
      </label>
      <div className="actions">
        {mark !== undefined && (
          <button className="button" onClick={() => finish(remove)} type="button">
            {t('rich.linkRemove')}
          </button>
        )}
        <button
          className="button primary"
          disabled={href === '' || !isSafe}
          onClick={() =>
            finish(
              mark === undefined
                ? toggleMark(link, { href })
                : (current, dispatch) => {
                    dispatch?.(current.tr.addMark(from, to, link.create({ href })));
                    return true;
                  },
            )
          }
          type="button"
        >
          {t('rich.linkSet')}
        </button>
      </div>
    </Dialog>
  );
}
