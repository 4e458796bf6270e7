import { useRef, useState } from 'react';
import { isOwnBlock } from '../../content/model/own-block.js';
import { useProject, type ContentType } from '../api/project-data.js';
import { blockTypesOf } from '../editor/paths.js';
import { t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import { AddBlockDialog } from './add-block-dialog.js';
import { BlockItem } from './block-item.js';
import type { FieldEditorProps } from './field-editor.js';
import { GroupEditor } from './group-editor.js';
import { isGroupField, isOneGroup } from './kinds.js';
import { ListEditor } from './list-editor.js';
import { newBlock } from './new-block.js';

const keyOf = (item: unknown): string | undefined => (isOwnBlock(item) ? item._ref : undefined);

/** The blocks of an entry, or of a block of it: each is edited in its place. */
export const BlocksEditor = (props: FieldEditorProps) =>
  isOneGroup(props.field) ? <GroupEditor {...props} /> : <BlockList {...props} />;

function BlockList(props: FieldEditorProps) {
  const types = blockTypesOf(useProject(), props.field);
  const [isOpen, setIsOpen] = useState(false);
  const added = useRef(new Set<string>());
  const { label, value, isReadOnly, onChange } = props;
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const add = (item: unknown): void => {
    onChange([...items, item]);
    setIsOpen(false);
  };
  const [only] = types;
  const isGroup = isGroupField(props.field);
  const create = (type: ContentType): void => {
    const block = newBlock(type);
    added.current.add(block._ref);
    add(block);
  };
  return (
    <>
      <ListEditor
        {...props}
        isFramed
        item={(item, place) => (
          <BlockItem {...props} {...item} {...place} isNew={added.current.has(keyOf(item.value) ?? '')} />
        )}
        keyOf={keyOf}
      />
      {!isReadOnly && types.length > 0 && (
        <button
          aria-label={t('field.addTo', { field: label })}
          className="button"
          onClick={() => (isGroup && only !== undefined ? create(only) : setIsOpen(true))}
          type="button"
        >
          <Icon name="add" />
          {t('field.add')}
        </button>
      )}
      {isOpen && (
        <AddBlockDialog
          label={label}
          onClose={() => setIsOpen(false)}
          onLink={({ id, contentTypeApiName }) => add({ _ref: id, _type: contentTypeApiName })}
          onType={create}
          types={types}
        />
      )}
    </>
  );
}
