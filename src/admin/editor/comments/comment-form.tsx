import { useId, useState } from 'react';
import { useCall } from '../../api/use-call.js';
import { t } from '../../texts/index.js';
import { MentionArea } from './mention-area.js';
import { editable, storedFrom, type Person } from './mentions.js';

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
