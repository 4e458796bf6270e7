import { useRef, type ReactNode } from 'react';
import { t } from '../texts/index.js';
import { IconButton } from '../ui/icon-button.js';
import { Icon } from '../ui/icon.js';
import type { ControlProps } from './field-editor.js';
import { useFormScope } from './form-scope.js';
import { Messages } from './issue-text.js';

interface Props extends ControlProps {
  /** Of the list in its entry, where messages about its items are shown at these. */
  readonly path?: string;
  /** Shows the control of an item. */
  readonly item: (props: ControlProps) => ReactNode;
}

let lastKey = 0;

/** Keys that follow their items when these move, so that what is typed stays with its item. */
function useKeys(length: number): number[] {
  const keys = useRef<number[]>([]);
  while (keys.current.length < length) keys.current.push((lastKey += 1));
  keys.current.length = length;
  return keys.current;
}

export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const next = [...items];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}

interface ToolsProps {
  readonly index: number;
  readonly count: number;
  readonly name: string;
  readonly onMove: (from: number, to: number) => void;
  readonly onRemove: () => void;
}

function ItemTools({ index, count, name, onMove, onRemove }: ToolsProps) {
  return (
    <span className="row tight">
      <IconButton
        disabled={index === 0}
        icon="up"
        label={`${t('field.up')}: ${name}`}
        onClick={() => onMove(index, index - 1)}
      />
      <IconButton
        disabled={index === count - 1}
        icon="down"
        label={`${t('field.down')}: ${name}`}
        onClick={() => onMove(index, index + 1)}
      />
      <IconButton icon="close" label={`${t('field.remove')}: ${name}`} onClick={onRemove} />
    </span>
  );
}

/** Items that are added, removed and moved by buttons, so with the keyboard as well. */
export function ListEditor({ item, ...props }: Props) {
  const { id, value, isReadOnly, onChange, label, path } = props;
  const { problems } = useFormScope();
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const keys = useKeys(items.length);
  const change = (next: unknown[], nextKeys: number[]): void => {
    keys.splice(0, keys.length, ...nextKeys);
    onChange(next.length === 0 ? null : next);
  };
  const move = (from: number, to: number): void => change(moved(items, from, to), moved(keys, from, to));
  return (
    <div className="list">
      {items.map((one, index) => {
        const name = t('field.item', { field: label, number: index + 1 });
        const at = `${path ?? id}[#${String(index)}]`;
        const messages = problems.get(at) ?? [];
        const tools = !isReadOnly && (
          <ItemTools
            count={items.length}
            index={index}
            name={name}
            onMove={move}
            onRemove={() => {
              const isOther = (_: unknown, at: number): boolean => at !== index;
              change(items.filter(isOther), keys.filter(isOther));
            }}
          />
        );
        return (
          <div aria-label={name} className="list-item" data-path={at} key={keys[index]} role="group">
            <div className="grow">
              <label className="hidden-text" htmlFor={`${id}-${index}`}>
                {name}
              </label>
              {item({
                ...props,
                id: `${id}-${index}`,
                isInvalid: path === undefined ? props.isInvalid : messages.length > 0,
                label: name,
                onChange: (next) => onChange(items.map((old, at) => (at === index ? next : old))),
                value: one,
              })}
              <Messages messages={messages} />
            </div>
            {tools}
          </div>
        );
      })}
      {!isReadOnly && (
        <button
          aria-label={t('field.addTo', { field: label })}
          className="button"
          onClick={() => onChange([...items, null])}
          type="button"
        >
          <Icon name="add" />
          {t('field.add')}
        </button>
      )}
    </div>
  );
}
