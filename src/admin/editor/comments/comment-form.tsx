import { useId, useState, useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { useCall } from '../../api/use-call.js';
import { t } from '../../texts/index.js';
import { editable, storedFrom, type Person, typingAt } from './mentions.js';

interface AreaProps {
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
function MentionArea(props: AreaProps) {
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

interface Props {
  readonly label: string;
  readonly sendLabel: string;
  readonly people: readonly Person[];
  /** Of a comment that is changed. */
  readonly stored?: string;
  /** Why it cannot be sent now. */
  readonly obstacle?: string | undefined;
  readonly focusRequest?: unknown;
  readonly send: (text: string) => Promise<void>;
  readonly onCancel?: () => void;
}

/** Writes a comment or a reply, or changes one. */
export function CommentForm(props: Props) {
  const { label, sendLabel, people, stored = '', obstacle, focusRequest, send, onCancel } = props;
  const id = useId();
  const [typed, setTyped] = useState(() => editable(stored, people));
  const { isBusy, failure, run } = useCall();
  const canSend = typed.trim() !== '' && obstacle === undefined && !isBusy;
  const submit = (): void => {
    if (!canSend) return;
    void run(async () => {
      await send(storedFrom(typed, people));
      setTyped('');
    });
  };
  const message = obstacle ?? failure?.problem;
  return (
    <form
      className="comment-form"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel?.();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <MentionArea
        describedBy={`${id}-note`}
        focusRequest={focusRequest}
        isInvalid={failure !== undefined}
        label={label}
        onChange={setTyped}
        onSend={submit}
        people={people}
        value={typed}
      />
      <p aria-live="polite" className={message === undefined ? 'hint' : 'problem'} id={`${id}-note`}>
        {message ?? t('comments.newHint')}
      </p>
      <p className="row">
        <button className="button primary" disabled={!canSend} type="submit">
          {sendLabel}
        </button>
        {onCancel !== undefined && (
          <button className="button" onClick={onCancel} type="button">
            {t('app.cancel')}
          </button>
        )}
      </p>
    </form>
  );
}
