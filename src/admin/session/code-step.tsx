import { useId } from 'react';
import type { Failure } from '../api/failure.js';
import { logInWithCode } from '../api/sessions-client.js';
import { useCall } from '../api/use-call.js';
import { maybeText, t } from '../texts/index.js';

/** Why a code was refused. */
export const codeFailure = ({ message, details: { reason } }: Failure): string =>
  (typeof reason === 'string' ? maybeText(`factor.reason.${reason}`) : undefined) ?? message;

/** For a code of the authenticator app, which phones offer to fill in, or a recovery code. */
export function CodeField() {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {t('factor.code')}
      </label>
      <input
        aria-describedby={`${id}-hint`}
        autoCapitalize="none"
        autoComplete="one-time-code"
        className="input code"
        data-focus
        id={id}
        maxLength={40}
        minLength={6}
        name="code"
        required
        spellCheck={false}
      />
      <span className="small soft" id={`${id}-hint`}>
        {t('factor.codeHint')}
      </span>
    </div>
  );
}

interface Props {
  /** Of the login whose password is right. */
  readonly challenge: string;
  readonly onLoggedIn: (userId: string) => void;
  /** Starts the login again. */
  readonly onBack: () => void;
}

/** The second step of a login. */
export function CodeStep({ challenge, onLoggedIn, onBack }: Props) {
  const { isBusy, failure, run } = useCall();
  const problemId = useId();
  const submit = async (form: FormData): Promise<void> => {
    const { user } = await logInWithCode(challenge, (form.get('code') ?? '') as string);
    onLoggedIn(user.id);
  };
  return (
    <form
      aria-describedby={problemId}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        void run(() => submit(form));
      }}
      // The field did not exist when the page or dialog chose what has the focus.
      ref={(form) => form?.querySelector('input')?.focus()}
    >
      <p>{t('login.code')}</p>
      <CodeField />
      <p aria-live="polite" className="problem" id={problemId}>
        {failure && codeFailure(failure)}
      </p>
      <button className="button primary" disabled={isBusy} type="submit">
        {t('login.complete')}
      </button>
      <button className="button plain" onClick={onBack} type="button">
        {t('login.back')}
      </button>
    </form>
  );
}
