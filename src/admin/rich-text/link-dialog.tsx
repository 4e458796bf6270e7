import { toggleMark } from 'prosemirror-commands';
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

/** The link at the cursor or of the selection. */
function hrefIn({ doc, selection: { from, to, empty, $from } }: EditorState): string {
  let href = empty ? (link.isInSet($from.marks())?.attrs.href as string | undefined) : undefined;
  doc.nodesBetween(from, to, ({ marks }) => {
    href ??= link.isInSet(marks)?.attrs.href as string | undefined;
  });
  return href ?? '';
}

export function LinkDialog({ state, run, onClose }: Props) {
  const known = hrefIn(state);
  const [href, setHref] = useState(known);
  const isSafe = href === '' || isSafeHref(href);
  const finish = (command: Command): void => {
    onClose();
    run(command);
  };
  const remove: Command = (current, dispatch) => {
    const { from, to } = current.selection;
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
        {known !== '' && (
          <button className="button" onClick={() => finish(remove)} type="button">
            {t('rich.linkRemove')}
          </button>
        )}
        <button
          className="button primary"
          disabled={href === '' || !isSafe}
          onClick={() =>
            finish(
              known === ''
                ? toggleMark(link, { href })
                : (current, dispatch) => {
                    const { from, to } = current.selection;
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
