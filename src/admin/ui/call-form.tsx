import { useId, useState, type ReactNode } from 'react';
import type { Failure } from '../api/failure.js';
import { useCall } from '../api/use-call.js';

interface Props {
  readonly submit: string;
  readonly children: ReactNode;
  /** Returns what is wrong with the input, if anything. */
  readonly onSubmit: (read: (name: string) => string) => Promise<string | undefined>;
  /** A refusal in the words of this form, if it has some. */
  readonly failureText?: (failure: Failure) => string | undefined;
  readonly look?: 'primary' | 'danger' | 'plain';
  /** The button is as wide as its text. */
  readonly isNarrow?: boolean;
  /** The first field gets the focus: it did not exist when the page or dialog chose what has it. */
  readonly isFocused?: boolean;
}

const focusField = (form: HTMLFormElement | null): void => form?.querySelector('input')?.focus();

/** A form for one call: it is sent once at a time, and shows why it was refused until it is sent again. */
export function CallForm({ submit, children, onSubmit, failureText, ...look }: Props) {
  const [problem, setProblem] = useState<string>();
  const { isBusy, failure, run } = useCall();
  const problemId = useId();
  const button = (
    <button
      className={look.look === 'plain' ? 'button' : `button ${look.look ?? 'primary'}`}
      disabled={isBusy}
      type="submit"
    >
      {submit}
    </button>
  );
  return (
    <form
      aria-describedby={problemId}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        setProblem(undefined);
        void run(async () => setProblem(await onSubmit((name) => (form.get(name) ?? '') as string)));
      }}
      ref={look.isFocused === true ? focusField : undefined}
    >
      {children}
      <p aria-live="polite" className="problem" id={problemId}>
        {problem ?? (failure && (failureText?.(failure) ?? failure.message))}
      </p>
      {look.isNarrow === true ? <div className="actions">{button}</div> : button}
    </form>
  );
}
