import type { Command, EditorState } from 'prosemirror-state';
import { useState } from 'react';
import type { Field } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { allowedTargets } from './allowed-targets.js';
import { linkIn, removeLink, setLink } from './commands.js';
import { attributesOf, LinkTargetFields, targetOf } from './link-target.js';

interface Props {
  readonly field: Field;
  readonly state: EditorState;
  readonly onEnd: (command?: Command) => void;
}

/** The target of the link at the cursor or of the selection. */
export function LinkDialog({ field, state, onEnd }: Props) {
  const { mark } = linkIn(state);
  const [target, setTarget] = useState(() => targetOf(mark?.attrs));
  const attrs = attributesOf(target);
  const set = (): void => {
    if (attrs !== undefined) onEnd(setLink(attrs));
  };
  return (
    <Dialog onClose={() => onEnd()} title={t('rich.link')}>
      <LinkTargetFields
        allowed={allowedTargets(field, 'allowedLinks')}
        onChange={setTarget}
        onEnter={set}
        target={target}
      />
      <div className="actions">
        {mark !== undefined && (
          <button className="button" onClick={() => onEnd(removeLink)} type="button">
            {t('rich.linkRemove')}
          </button>
        )}
        <button className="button primary" disabled={attrs === undefined} onClick={set} type="button">
          {t('rich.linkSet')}
        </button>
      </div>
    </Dialog>
  );
}
