import type { Command, EditorState } from 'prosemirror-state';
import type { Field } from '../api/project-data.js';
import { EntryPicker } from '../fields/entry-picker.js';
import { AssetPicker } from '../media/asset-picker.js';
import { allowedTargets } from './allowed-targets.js';
import { insertReference, type Reference } from './commands.js';
import { LinkDialog } from './link-dialog.js';

export type DialogName = 'link' | Reference;

interface Props {
  readonly name: DialogName;
  readonly field: Field;
  readonly state: EditorState;
  /** Closes the dialog with what it does to the text, if anything. */
  readonly onEnd: (command?: Command) => void;
}

/** What the toolbar, the menu and keys of a rich text open. */
export function EditorDialog({ name, field, state, onEnd }: Props) {
  const onClose = (): void => onEnd();
  if (name === 'link') return <LinkDialog {...{ field, state, onEnd }} />;
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
