import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { t } from '../../texts/index.js';
import { typingAt, type Person } from './mentions.js';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly people: readonly Person[];
  readonly describedBy: string;
  readonly isInvalid: boolean;
  /** A value that changes moves the focus here. */
  readonly focusRequest: unknown;
  readonly onChange: (value: string) => void;
  /** Control or Command with Enter. */
  readonly onSend: () => void;
}

interface ListProps {
  readonly id: string;
  readonly matches: readonly Person[];
  readonly active: number;
  readonly onChoice: (person: Person) => void;
}

const optionId = (id: string, index: number): string => `${id}-${String(index)}`;

function MatchList({ id, matches, active, onChoice }: ListProps) {
  return (
    <ul aria-label={t('comments.mention')} className="mention-list" id={id} role="listbox">
      {matches.map((person, index) => (
        <li
          aria-selected={index === active}
          className="mention-option"
          id={optionId(id, index)}
          key={person.id}
          onMouseDown={(event) => {
            // The focus stays in the text area.
            event.preventDefault();
            onChoice(person);
          }}
          role="option"
        >
          {person.label}
        </li>
      ))}
    </ul>
  );
}

/** Several lines in which `@` completes the names of members. */
export function MentionArea(props: Props) {
  const { label, value, people, focusRequest, onChange, onSend } = props;
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [cursor, setCursor] = useState(0);
  const [active, setActive] = useState(0);
  const [dismissed, setDismissed] = useState<number>();
  const wanted = useRef<number>(undefined);
  const typing = typingAt(value, cursor, people);
  const open = typing?.start === dismissed ? undefined : typing;
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    area.current?.setSelectionRange(wanted.current, wanted.current);
    setCursor(wanted.current);
    wanted.current = undefined;
  }, [value]);
  useLayoutEffect(() => {
    if (focusRequest !== undefined) area.current?.focus();
  }, [focusRequest]);
  const choose = ({ label: name }: Person): void => {
    if (open === undefined) return;
    const start = `${value.slice(0, open.start)}@${name} `;
    wanted.current = start.length;
    onChange(start + value.slice(open.end).replace(/^ /, ''));
  };
  const onListKey = (event: KeyboardEvent, { matches, start }: NonNullable<typeof open>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = matches[active] ?? matches[0];
    if (step !== undefined) setActive((active + step + matches.length) % matches.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) choose(chosen);
    else if (event.key === 'Escape') setDismissed(start);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const index = Math.min(active, (open?.matches.length ?? 1) - 1);
  return (
    <div className="mention-area">
      <textarea
        aria-activedescendant={open && optionId(id, index)}
        aria-autocomplete="list"
        aria-controls={open && id}
        aria-describedby={props.describedBy}
        aria-invalid={props.isInvalid}
        aria-label={label}
        className="area short"
        dir="auto"
        onBlur={() => setCursor(0)}
        onChange={({ target }) => {
          setCursor(target.selectionStart);
          setActive(0);
          setDismissed(undefined);
          onChange(target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSend();
          else if (open !== undefined) onListKey(event, open);
        }}
        onSelect={({ currentTarget }) => setCursor(currentTarget.selectionStart)}
        ref={area}
        rows={3}
        value={value}
      />
      {open !== undefined && <MatchList active={index} id={id} matches={open.matches} onChoice={choose} />}
      <span aria-live="polite" className="hidden-text">
        {open === undefined ? '' : t('comments.mentions', { count: open.matches.length })}
      </span>
    </div>
  );
}
