import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';

export interface MenuItem {
  readonly key: string;
  readonly label: string;
  readonly onSelect: () => void;
  /** Of an item that is on or off. */
  readonly isChecked?: boolean;
}

interface Props {
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** Where a key moves the focus among `count` items. */
function targetOf(key: string, index: number, count: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: (index + 1) % count,
    ArrowUp: (index - 1 + count) % count,
    Home: 0,
    End: count - 1,
  };
  return targets[key];
}

interface ListProps extends Props {
  readonly id: string;
  readonly onClose: () => void;
}

function MenuList({ id, label, items, onClose }: ListProps) {
  const ref = useRef<HTMLDivElement>(null);
  const buttons = (): HTMLElement[] => [...(ref.current?.querySelectorAll('button') ?? [])];
  useLayoutEffect(() => buttons()[0]?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = buttons();
    const target = targetOf(event.key, all.indexOf(document.activeElement as HTMLElement), all.length);
    if (target !== undefined) {
      event.preventDefault();
      all[target]?.focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.stopPropagation();
      onClose();
    }
  };
  return (
    <div aria-label={label} className="menu-list" id={id} onKeyDown={onKeyDown} ref={ref} role="menu">
      {items.map(({ key, label: text, onSelect, isChecked }) => (
        <button
          aria-checked={isChecked}
          className="menu-item"
          key={key}
          onClick={() => {
            onClose();
            onSelect();
          }}
          role={isChecked === undefined ? 'menuitem' : 'menuitemcheckbox'}
          tabIndex={-1}
          type="button"
        >
          <span aria-hidden="true" className="menu-mark">
            {isChecked === true ? '✓' : ''}
          </span>
          {text}
        </button>
      ))}
    </div>
  );
}

/** A button that opens a list of actions. Arrow keys move in it, Escape closes it. */
export function Menu({ label, items }: Props) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  if (items.length === 0) return null;
  const close = (): void => {
    trigger.current?.focus();
    setIsOpen(false);
  };
  return (
    <div
      className="menu"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setIsOpen(false);
      }}
    >
      <button
        aria-controls={isOpen ? id : undefined}
        aria-expanded={isOpen}
        aria-haspopup="menu"
        className="button"
        onClick={() => setIsOpen(!isOpen)}
        ref={trigger}
        type="button"
      >
        {label}
      </button>
      {isOpen && <MenuList id={id} items={items} label={label} onClose={close} />}
    </div>
  );
}
