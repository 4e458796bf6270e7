import { useEffect, useId, useRef, useState } from 'react';
import { useCall } from '../api/use-call.js';
import { t } from '../texts/index.js';
import { loadModule } from '../ui/lazy-part.js';

/** Whether the browser knows passkeys. */
export const hasPasskeys = 'PublicKeyCredential' in window;

interface Props {
  /** Of a login whose password is right. */
  readonly challenge?: string;
  readonly isFirst?: boolean;
  readonly onLoggedIn: (userId: string) => void;
}

/** Asks the browser for a passkey, which it shows a dialog for. */
export function PasskeyButton({ challenge, isFirst = false, onLoggedIn }: Props) {
  const [problem, setProblem] = useState<string>();
  const { isBusy, failure, run } = useCall();
  const problemId = useId();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFirst) button.current?.focus();
  }, [isFirst]);
  const logIn = async (): Promise<void> => {
    setProblem(undefined);
    const { logInWithPasskey } = await loadModule(() => import('../api/passkeys-client.js'));
    const result = await logInWithPasskey(challenge);
    if (typeof result === 'string') setProblem(result);
    else onLoggedIn(result.user.id);
  };
  const message = problem ?? failure?.message;
  return (
    <>
      <button
        aria-describedby={problemId}
        className={isFirst ? 'button primary' : 'button'}
        disabled={isBusy}
        onClick={() => void run(logIn)}
        ref={button}
        type="button"
      >
        {t('login.passkey')}
      </button>
      <p aria-live="polite" className="problem" hidden={message === undefined} id={problemId}>
        {message}
      </p>
    </>
  );
}
