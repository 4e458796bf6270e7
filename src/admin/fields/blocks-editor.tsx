import { useRef } from 'react';
import type { FieldEditorProps } from './field-editor.js';
import { isOneGroup } from './kinds.js';
import { isOwnBlock, type OwnBlock } from '../../content/model/own-block.js';
import { useProject } from '../api/project-data.js';
import { blockTypesOf, rootOf } from '../editor/paths.js';
import { t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import { IconButton } from '../ui/icon-button.js';
import { BlockFields, newBlock } from './block-fields.js';
import { SharedBlock } from './shared-block.js';
import { lazyPart } from '../ui/lazy-part.js';

const isNothing = (value: unknown): boolean => value === null || value === undefined;

/**
 * Fields in a frame. The object that has them is made with the first value; inside a block by a button, because a type
 * may have a group of itself.
 */
function GroupEditor(props: FieldEditorProps) {
  const [type] = blockTypesOf(useProject(), props.field);
  const { label, path, value, isReadOnly, onChange } = props;
  const made = useRef<OwnBlock>(undefined);
  if (type === undefined) return <p className="soft">{t('field.missing')}</p>;
  const isInside = rootOf(path) !== path;
  if (isNothing(value) && (isInside || isReadOnly))
    return isReadOnly ? (
      <p className="soft">{t('field.none')}</p>
    ) : (
      <button
        aria-label={t('field.addTo', { field: label })}
        className="button"
        onClick={() => onChange(newBlock(type))}
        type="button"
      >
        <Icon name="add" />
        {t('field.add')}
      </button>
    );
  const clear = !isReadOnly && !isNothing(value) && (
    <IconButton
      icon="close"
      label={`${t('field.clear')}: ${label}`}
      onClick={() => {
        made.current = undefined;
        onChange(null);
      }}
    />
  );
  if (!isNothing(value) && !isOwnBlock(value)) return <SharedBlock {...props} tools={clear} />;
  const block = isOwnBlock(value) ? value : (made.current ??= newBlock(type));
  return (
    <div className="block">
      {clear !== false && (
        <div className="row">
          <span className="grow" />
          {clear}
        </div>
      )}
      <BlockFields {...props} block={block} type={type} />
    </div>
  );
}

/** In a chunk that is loaded with the first list of blocks. */
const BlockList = lazyPart(() => import('./block-list.js'), 'BlockList');

/** The blocks of an entry, or of a block of it: each is edited in its place. */
export const BlocksEditor = (props: FieldEditorProps) =>
  isOneGroup(props.field) ? <GroupEditor {...props} /> : <BlockList {...props} />;
