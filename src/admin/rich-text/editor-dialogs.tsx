import { NodeSelection, type Command, type EditorState } from 'prosemirror-state';
import { useId, useState } from 'react';
import { baseName } from '../../content/rich-text/vocabulary.js';
import type { Field } from '../api/project-data.js';
import { EntryPicker } from '../fields/entry-picker.js';
import { AssetCard } from '../media/asset-card.js';
import { AssetPicker } from '../media/asset-picker.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { allowedTargets } from './allowed-targets.js';
import { insertReference, type Reference, linkIn, removeLink, setLink } from './commands.js';
import { attributesOf, LinkTargetFields, targetOf } from './link-target.js';

interface LinkDialogProps {
  readonly field: Field;
  readonly state: EditorState;
  readonly onEnd: (command?: Command) => void;
}

/** The target of the link at the cursor or of the selection. */
function LinkDialog({ field, state, onEnd }: LinkDialogProps) {
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

export type DialogName = 'link' | 'picture' | Reference;

interface Props {
  readonly name: DialogName;
  readonly field: Field;
  readonly state: EditorState;
  /** Closes the dialog with what it does to the text, if anything. */
  readonly onEnd: (command?: Command) => void;
}

type PictureProps = Pick<Props, 'state' | 'onEnd'>;

/** Position and attributes of the picture that is selected. */
export function selectedPicture({ selection }: EditorState) {
  const isPicture = selection instanceof NodeSelection && baseName(selection.node.type.name) === 'assetEmbed';
  return isPicture ? { at: selection.from, attrs: selection.node.attrs as PictureTexts } : undefined;
}

interface PictureTexts {
  readonly assetId: string;
  readonly alt: string | null;
  readonly caption: string | null;
  readonly align: string | null;
}

const alignments = ['left', 'center', 'right', 'full'] as const;

/** Texts and place of a picture here; it can have others elsewhere. */
function PictureDialog({ state, onEnd }: PictureProps) {
  const id = useId();
  const { at, attrs } = selectedPicture(state) ?? {};
  const [typed, setTyped] = useState(attrs);
  if (at === undefined || typed === undefined) return null;
  const set = (): void => {
    onEnd((current, dispatch) => {
      const { tr } = current;
      tr.setNodeMarkup(at, null, typed).setSelection(NodeSelection.create(tr.doc, at));
      dispatch?.(tr);
      return true;
    });
  };
  const textOf = (name: 'alt' | 'caption') => (
    <div className="field">
      <label className="label" htmlFor={`${id}-${name}`}>
        {t(`rich.picture.${name}`)}
      </label>
      <input
        className="input"
        id={`${id}-${name}`}
        maxLength={1000}
        onChange={({ target }) => setTyped({ ...typed, [name]: target.value === '' ? null : target.value })}
        // There is no form: the dialog can be within one.
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          set();
        }}
        value={typed[name] ?? ''}
      />
      {name === 'alt' && <p className="soft small">{t('rich.picture.altHint')}</p>}
    </div>
  );
  return (
    <Dialog onClose={() => onEnd()} title={t('rich.picture')}>
      <div className="linked">
        <AssetCard id={typed.assetId} />
      </div>
      {textOf('alt')}
      {textOf('caption')}
      <div className="field">
        <label className="label" htmlFor={`${id}-align`}>
          {t('rich.picture.align')}
        </label>
        <select
          className="select"
          id={`${id}-align`}
          onChange={({ target }) => setTyped({ ...typed, align: target.value === '' ? null : target.value })}
          value={typed.align ?? ''}
        >
          <option value="">{t('rich.picture.align.none')}</option>
          {alignments.map((align) => (
            <option key={align} value={align}>
              {t(`rich.picture.align.${align}`)}
            </option>
          ))}
        </select>
      </div>
      <div className="actions">
        <button className="button primary" onClick={set} type="button">
          {t('rich.picture.set')}
        </button>
      </div>
    </Dialog>
  );
}

/** What the toolbar, the menu and keys of a rich text open. */
export function EditorDialog({ name, field, state, onEnd }: Props) {
  const onClose = (): void => onEnd();
  if (name === 'picture') return <PictureDialog state={state} onEnd={onEnd} />;
  if (name === 'link') return <LinkDialog field={field} state={state} onEnd={onEnd} />;
  const { assets, entries } = allowedTargets(
    field,
    name === 'entryMention' ? 'allowedLinks' : 'allowedEmbeds',
  );
  if (name === 'assetEmbed')
    return (
      <AssetPicker
        onChoice={({ id }) => onEnd(insertReference(name, { assetId: id }))}
        onClose={onClose}
        types={assets}
      />
    );
  return (
    <EntryPicker
      onChoice={({ id }) => onEnd(insertReference(name, { entryId: id }))}
      onClose={onClose}
      types={entries}
    />
  );
}
