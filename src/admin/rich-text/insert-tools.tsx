import { NodeSelection, Selection, type Command } from 'prosemirror-state';
import { useState } from 'react';
import type { Field } from '../api/project-data.js';
import { EntryPicker } from '../fields/entry-picker.js';
import { AssetPicker } from '../media/asset-picker.js';
import { t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import { allowedTargets, allowsSome } from './allowed-targets.js';
import { nodeType } from './editor-state.js';
import { ToolButton } from './tool-button.js';

type Inserted = 'entryMention' | 'entryEmbed' | 'assetEmbed';

/**
 * Puts a reference in place of the selection, after an embed that is selected. A mention has no marks: it is a link
 * itself.
 */
const insert =
  (name: Inserted, attrs: Readonly<Record<string, string>>): Command =>
  ({ selection, tr }, dispatch) => {
    const node = nodeType(name).create(attrs);
    if (selection instanceof NodeSelection && selection.node.isBlock) {
      const inserted = node.isInline ? nodeType('paragraph').create(null, node) : node;
      tr.insert(selection.to, inserted);
      tr.setSelection(Selection.near(tr.doc.resolve(selection.to + inserted.nodeSize), -1));
    } else tr.replaceSelectionWith(node, false);
    dispatch?.(tr.scrollIntoView());
    return true;
  };

interface Props {
  readonly field: Field;
  readonly run: (command: Command) => void;
}

/** Buttons that insert mentions and embeds, as far as the field allows them. */
export function InsertTools({ field, run }: Props) {
  const [inserted, setInserted] = useState<Inserted>();
  const links = allowedTargets(field, 'allowedLinks');
  const embeds = allowedTargets(field, 'allowedEmbeds');
  const close = (): void => setInserted(undefined);
  const choose = (name: Inserted, attrs: Readonly<Record<string, string>>): void => {
    close();
    run(insert(name, attrs));
  };
  return (
    <>
      {allowsSome(links.entries) && (
        <ToolButton label={t('rich.mention')} onUse={() => setInserted('entryMention')}>
          @
        </ToolButton>
      )}
      {allowsSome(embeds.entries) && (
        <ToolButton label={t('rich.entry')} onUse={() => setInserted('entryEmbed')}>
          <Icon name="entry" />
        </ToolButton>
      )}
      {allowsSome(embeds.assets) && (
        <ToolButton label={t('rich.asset')} onUse={() => setInserted('assetEmbed')}>
          <Icon name="file" />
        </ToolButton>
      )}
      {inserted === 'assetEmbed' && (
        <AssetPicker
          onChoice={({ id }) => choose(inserted, { assetId: id })}
          onClose={close}
          types={embeds.assets}
        />
      )}
      {(inserted === 'entryMention' || inserted === 'entryEmbed') && (
        <EntryPicker
          onChoice={({ id }) => choose(inserted, { entryId: id })}
          onClose={close}
          types={(inserted === 'entryMention' ? links : embeds).entries}
        />
      )}
    </>
  );
}
