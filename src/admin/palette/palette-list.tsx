import { useEffect } from 'react';
import { Icon } from '../ui/icon.js';
import type { PaletteGroup, PaletteOption } from './option.js';

interface Props {
  readonly id: string;
  readonly label: string;
  readonly groups: readonly PaletteGroup[];
  readonly active: PaletteOption | undefined;
  readonly isOutdated: boolean;
  readonly onHover: (option: PaletteOption) => void;
  readonly onRun: (option: PaletteOption) => void;
}

export const optionId = (listId: string, { key }: PaletteOption): string => `${listId}-${key}`;

/** What the box above it controls; the focus stays in that box. */
export function PaletteList({ id, label, groups, active, isOutdated, onHover, onRun }: Props) {
  const activeId = active && optionId(id, active);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  return (
    <div aria-busy={isOutdated} aria-label={label} className="palette-list" id={id} role="listbox">
      {groups.map(({ title, options }) => (
        <div aria-label={title} key={title} role="group">
          <div aria-hidden="true" className="side-title">
            {title}
          </div>
          {options.map((option) => (
            <div
              aria-selected={option === active}
              className="palette-option"
              id={optionId(id, option)}
              key={option.key}
              onClick={() => onRun(option)}
              // The box keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => onHover(option)}
              role="option"
            >
              <Icon name={option.icon} />
              <span className="grow clip">
                <span dir="auto">{option.title}</span>
                {option.excerpt !== undefined && (
                  <span className="soft small palette-excerpt" dir="auto">
                    {option.excerpt}
                  </span>
                )}
              </span>
              {option.note}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
