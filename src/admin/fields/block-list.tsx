import { Fragment, useRef, useState, type ReactNode } from 'react';
import { isOwnBlock, type OwnBlock } from '../../content/model/own-block.js';
import { useProject, type ContentType } from '../api/project-data.js';
import { blockTypesOf } from '../editor/paths.js';
import { t } from '../texts/index.js';
import { Icon } from '../ui/icon.js';
import { IconButton } from '../ui/icon-button.js';
import { notify } from '../ui/toasts.js';
import { AddBlockDialog } from './add-block-dialog.js';
import { BlockItem, type Folding } from './block-item.js';
import { copyBlock, useCopiedBlock, withNewIds } from './copied-block.js';
import type { FieldEditorProps } from './field-editor.js';
import { Messages } from './issue-text.js';
import { useFormScope } from './form-scope.js';
import { isGroupField } from './kinds.js';
import { linkOf } from './link-editors.js';
import { moved } from './list-editor.js';
import { newBlock } from './block-fields.js';
import { SortableBlock, SortableBlocks } from './sortable-blocks.js';

interface Listed {
  readonly item: unknown;
  /** Stays with the item wherever it is: the id of the block, with a number for repeated links to a shared one. */
  readonly key: string;
}

function keyed(items: readonly unknown[]): Listed[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const id = isOwnBlock(item) ? item._ref : (linkOf(item)?._ref ?? '');
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return { item, key: count === 0 ? id : `${id} ${String(count)}` };
  });
}

/** Changes of the list; each starts from what the list is by then. */
function useBlockChanges({ value, onChange }: FieldEditorProps) {
  const latest = useRef<readonly unknown[]>([]);
  latest.current = Array.isArray(value) ? value : [];
  const report = useRef(onChange);
  report.current = onChange;
  const set = (items: readonly unknown[]): void => report.current(items.length === 0 ? null : items);
  const insert = (item: unknown, index: number): void => set(latest.current.toSpliced(index, 0, item));
  return {
    items: latest.current,
    insert,
    replace: (index: number, item: unknown) => set(latest.current.with(index, item)),
    move: (from: number, to: number) => set(moved(latest.current, from, to)),
    remove: (index: number, name: string) => {
      const item = latest.current[index];
      set(latest.current.toSpliced(index, 1));
      notify(t('field.removed', { name }), () => insert(item, Math.min(index, latest.current.length)));
    },
  };
}

type Changes = ReturnType<typeof useBlockChanges>;

interface ToolProps {
  readonly item: unknown;
  readonly index: number;
  readonly name: string;
  readonly changes: Changes;
  readonly onDuplicate: (block: OwnBlock) => void;
  readonly handle: ReactNode;
}

function BlockTools({ item, index, name, changes, onDuplicate, handle }: ToolProps) {
  const { slug } = useProject();
  const { items, move, remove } = changes;
  const copy = (block: OwnBlock): void => {
    copyBlock(slug, block);
    notify(t('block.copied'));
  };
  return (
    <span className="row tight block-tools">
      {isOwnBlock(item) && (
        <>
          <IconButton
            icon="duplicate"
            label={`${t('block.duplicate')}: ${name}`}
            onClick={() => onDuplicate(withNewIds(item))}
          />
          <IconButton icon="copy" label={`${t('block.copy')}: ${name}`} onClick={() => copy(item)} />
        </>
      )}
      <IconButton
        disabled={index === 0}
        icon="up"
        label={`${t('field.up')}: ${name}`}
        onClick={() => move(index, index - 1)}
      />
      <IconButton
        disabled={index === items.length - 1}
        icon="down"
        label={`${t('field.down')}: ${name}`}
        onClick={() => move(index, index + 1)}
      />
      <IconButton icon="close" label={`${t('field.remove')}: ${name}`} onClick={() => remove(index, name)} />
      {handle}
    </span>
  );
}

interface FoldProps {
  readonly label: string;
  readonly onFold: (folding: Folding) => void;
}

const FoldButtons = ({ label, onFold }: FoldProps) => (
  <p className="row tight">
    {([false, true] as const).map((isOpen) => (
      <button className="button plain" key={String(isOpen)} onClick={() => onFold({ isOpen })} type="button">
        {t(isOpen ? 'block.unfoldAll' : 'block.foldAll')}
        <span className="hidden-text">: {label}</span>
      </button>
    ))}
  </p>
);

interface AddProps {
  readonly label: string;
  readonly types: readonly ContentType[];
  readonly onAdd: () => void;
  readonly onPaste: (block: OwnBlock) => void;
}

/** A block that was copied can be pasted where the list takes its type. */
function AddButtons({ label, types, onAdd, onPaste }: AddProps) {
  const copied = useCopiedBlock(useProject().slug);
  return (
    <p className="row tight">
      <button
        aria-label={t('field.addTo', { field: label })}
        className="button"
        onClick={onAdd}
        type="button"
      >
        <Icon name="add" />
        {t('field.add')}
      </button>
      {copied !== undefined && types.some(({ apiName }) => apiName === copied._type) && (
        <button
          aria-label={t('block.pasteInto', { field: label })}
          className="button"
          onClick={() => onPaste(withNewIds(copied))}
          type="button"
        >
          <Icon name="copy" />
          {t('block.paste')}
        </button>
      )}
    </p>
  );
}

function InsertBetween({ name, onClick }: { readonly name: string; readonly onClick: () => void }) {
  const label = t('block.insertBefore', { name });
  return (
    <button aria-label={label} className="insert-between" onClick={onClick} title={label} type="button">
      <Icon name="add" />
    </button>
  );
}

/** Where blocks are added, and which ones were just now: they are open at once. */
function useAdding({ field }: FieldEditorProps, types: readonly ContentType[], { insert }: Changes) {
  const [addAt, setAddAt] = useState<number>();
  const added = useRef(new Set<string>());
  const [only] = types;
  const place = (item: unknown, index: number): void => {
    if (isOwnBlock(item)) added.current.add(item._ref);
    insert(item, index);
    setAddAt(undefined);
  };
  const start = (index: number): void =>
    isGroupField(field) && only !== undefined ? place(newBlock(only), index) : setAddAt(index);
  return {
    addAt,
    place,
    start,
    close: () => setAddAt(undefined),
    isNew: (id: string) => added.current.has(id),
  };
}

interface AddingProps {
  readonly adding: ReturnType<typeof useAdding>;
  readonly label: string;
  readonly types: readonly ContentType[];
}

function AddingDialog({ adding: { addAt, place, close }, label, types }: AddingProps) {
  if (addAt === undefined) return null;
  return (
    <AddBlockDialog
      label={label}
      types={types}
      onClose={close}
      onLink={({ id, contentTypeApiName }) => place({ _ref: id, _type: contentTypeApiName }, addAt)}
      onType={(type) => place(newBlock(type), addAt)}
    />
  );
}

/** The blocks of a list, which are added anywhere in it, moved, duplicated, copied to other pages and removed. */
export function BlockList(props: FieldEditorProps) {
  const types = blockTypesOf(useProject(), props.field);
  const { problems } = useFormScope();
  const { label, path, isReadOnly } = props;
  const changes = useBlockChanges(props);
  const adding = useAdding(props, types, changes);
  const [folding, setFolding] = useState<Folding>();
  const listed = keyed(changes.items);
  const nameAt = (index: number): string => t('field.item', { field: label, number: index + 1 });
  const canAdd = !isReadOnly && types.length > 0;
  const itemAt = ({ item, key }: Listed, index: number, handle: ReactNode) => {
    const at = `${path}[${isOwnBlock(item) ? key : `#${String(index)}`}]`;
    const id = `${props.id}-${String(index)}`;
    const name = nameAt(index);
    const onDuplicate = (block: OwnBlock): void => adding.place(block, index + 1);
    const tools = isReadOnly ? null : (
      <BlockTools
        item={item}
        index={index}
        name={name}
        changes={changes}
        onDuplicate={onDuplicate}
        handle={handle}
      />
    );
    return (
      <>
        <label className="hidden-text" htmlFor={id}>
          {name}
        </label>
        <BlockItem
          {...props}
          folding={folding}
          id={id}
          isInvalid={problems.has(at)}
          isNew={adding.isNew(key)}
          label={name}
          onChange={(next) => changes.replace(index, next)}
          place={{ index, tools }}
          value={item}
        />
        {!isOwnBlock(item) && <Messages messages={problems.get(at) ?? []} />}
      </>
    );
  };
  return (
    <>
      {listed.length > 1 && <FoldButtons label={label} onFold={setFolding} />}
      <SortableBlocks
        ids={listed.map(({ key }) => key)}
        nameOf={(key) => nameAt(listed.findIndex((one) => one.key === key))}
        onMove={changes.move}
      >
        <div className="list">
          {listed.map((one, index) => (
            <Fragment key={one.key}>
              {canAdd && <InsertBetween name={nameAt(index)} onClick={() => adding.start(index)} />}
              <SortableBlock
                id={one.key}
                name={nameAt(index)}
                path={`${path}[${isOwnBlock(one.item) ? one.key : `#${String(index)}`}]`}
              >
                {(handle) => itemAt(one, index, handle)}
              </SortableBlock>
            </Fragment>
          ))}
        </div>
      </SortableBlocks>
      {canAdd && (
        <AddButtons
          label={label}
          types={types}
          onAdd={() => adding.start(listed.length)}
          onPaste={(block) => adding.place(block, listed.length)}
        />
      )}
      <AddingDialog adding={adding} label={label} types={types} />
    </>
  );
}
