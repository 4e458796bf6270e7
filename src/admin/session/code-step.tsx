import { useId } from 'react';
import type { Failure } from '../api/failure.js';
import { logInWithCode, type LoginChallenge } from '../api/sessions-client.js';
import { maybeText, t } from '../texts/index.js';
import { CallForm } from '../ui/call-form.js';
import { hasPasskeys, PasskeyButton } from './passkey-button.js';

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

interface CodeStepProps {
  /** Of the login whose password is right. */
  readonly challenge: LoginChallenge;
  readonly onLoggedIn: (userId: string) => void;
  /** Starts the login again. */
  readonly onBack: () => void;
}

/** The second step of a login. */
export function CodeStep({ challenge: { token, methods }, onLoggedIn, onBack }: CodeStepProps) {
  const hasApp = methods.includes('totp');
  return (
    <div className="stack">
      {methods.includes('passkey') && hasPasskeys && (
        <PasskeyButton challenge={token} isFirst={!hasApp} onLoggedIn={onLoggedIn} />
      )}
      <CallForm
        failureText={codeFailure}
        isFocused={hasApp}
        look={hasApp ? 'primary' : 'plain'}
        onSubmit={async (read) => {
          const { user } = await logInWithCode(token, read('code'));
          onLoggedIn(user.id);
          return undefined;
        }}
        submit={t('login.complete')}
      >
        <p>{t(hasApp ? 'login.code' : 'login.recoveryCode')}</p>
        <CodeField />
      </CallForm>
      <button className="button plain" onClick={onBack} type="button">
        {t('login.back')}
      </button>
    </div>
  );
}
