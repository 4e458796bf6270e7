import { Link } from '@tanstack/react-router';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { limits } from '../../../contracts/limits.js';
import { failureOf, type Failure } from '../api/failure.js';
import { requestPassword, setPassword } from '../api/sessions-client.js';
import { forgetSession } from '../api/session-store.js';
import { maybeText, t } from '../texts/index.js';
import { EntranceScreen } from './login-screen.js';

type Kind = 'invitation' | 'password';

/** Why a link does not work, and what to do. */
function DeadLink({ kind, reason }: { readonly kind: Kind; readonly reason: string }) {
  const isUsed = reason === 'used';
  return (
    <EntranceScreen title={t('link.dead')}>
      <p role="alert">{maybeText(`link.${reason}`) ?? t('link.unknown')}</p>
      {!isUsed && <p>{t(kind === 'invitation' ? 'link.askInviter' : 'link.askAgain')}</p>}
      {!isUsed && kind === 'password' && (
        <Link className="button primary" to="/forgot-password">
          {t('link.request')}
        </Link>
      )}
      <Link className={isUsed ? 'button primary' : 'button'} to="/">
        {t('link.toLogin')}
      </Link>
    </EntranceScreen>
  );
}

interface FormProps {
  readonly submitLabel: string;
  readonly children: ReactNode;
  /** Returns what is wrong with the input, if anything. */
  readonly onSubmit: (read: (name: string) => string) => Promise<string | undefined>;
}

function EntranceForm({ submitLabel, children, onSubmit }: FormProps) {
  const [message, setMessage] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const messageId = useId();
  const submit = async (form: FormData): Promise<void> => {
    setIsBusy(true);
    setMessage(undefined);
    try {
      setMessage(await onSubmit((name) => (form.get(name) ?? '') as string));
    } catch (error) {
      setMessage(failureOf(error).message);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <form
      aria-describedby={messageId}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      {children}
      <p aria-live="polite" className="problem" id={messageId}>
        {message}
      </p>
      <button className="button primary" disabled={isBusy} type="submit">
        {submitLabel}
      </button>
    </form>
  );
}

function PasswordField({
  name,
  label,
  isFirst,
}: {
  readonly name: string;
  readonly label: string;
  readonly isFirst: boolean;
}) {
  const hintId = useId();
  return (
    <label className="field">
      <span className="label">{label}</span>
      <input
        aria-describedby={isFirst ? hintId : undefined}
        autoComplete="new-password"
        autoFocus={isFirst}
        className="input"
        maxLength={limits.passwordMaximumLength}
        minLength={limits.passwordMinimumLength}
        name={name}
        required
        type="password"
      />
      {isFirst && (
        <span className="soft small" id={hintId}>
          {t('link.length', { least: limits.passwordMinimumLength })}
        </span>
      )}
    </label>
  );
}

const tokenIn = (fragment: string): string => new URLSearchParams(fragment.slice(1)).get('token') ?? '';

/** Takes the token out of the address, so that it stays in no history. */
function useToken(): string {
  const [token] = useState(() => tokenIn(location.hash));
  useEffect(() => {
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
  }, []);
  return token;
}

/** Chooses the password that a link is for. */
function LinkPage({ kind }: { readonly kind: Kind }) {
  const token = useToken();
  const [dead, setDead] = useState(token === '' ? 'unknown' : undefined);
  const [isDone, setIsDone] = useState(false);
  if (dead !== undefined) return <DeadLink kind={kind} reason={dead} />;
  if (isDone)
    return (
      <EntranceScreen title={t('link.done')}>
        <p role="status">{t('link.doneHint')}</p>
        <Link className="button primary" to="/">
          {t('link.toLogin')}
        </Link>
      </EntranceScreen>
    );
  const refused = ({ code, details, message }: Failure): string | undefined => {
    if (code !== 'invalid_reset_token') return message;
    setDead(typeof details.reason === 'string' ? details.reason : 'unknown');
    return undefined;
  };
  return (
    <EntranceScreen title={t(kind === 'invitation' ? 'link.invitation' : 'link.password')}>
      {kind === 'invitation' && <p>{t('link.invitationHint')}</p>}
      <EntranceForm
        onSubmit={async (read) => {
          if (read('password') !== read('again')) return t('link.differ');
          try {
            await setPassword(token, read('password'));
          } catch (error) {
            return refused(failureOf(error));
          }
          // The sessions of the account have ended; another user logs in again.
          forgetSession();
          setIsDone(true);
          return undefined;
        }}
        submitLabel={t('link.save')}
      >
        <PasswordField isFirst label={t('link.new')} name="password" />
        <PasswordField isFirst={false} label={t('link.again')} name="again" />
      </EntranceForm>
    </EntranceScreen>
  );
}

export function ForgottenPage() {
  const [sentTo, setSentTo] = useState<string>();
  if (sentTo !== undefined)
    return (
      <EntranceScreen title={t('forgotten.title')}>
        <p role="status">{t('forgotten.sent', { email: sentTo })}</p>
        <p className="soft small">{t('forgotten.none')}</p>
        <Link className="button" to="/">
          {t('link.toLogin')}
        </Link>
      </EntranceScreen>
    );
  return (
    <EntranceScreen title={t('forgotten.title')}>
      <p>{t('forgotten.hint')}</p>
      <EntranceForm
        onSubmit={async (read) => {
          const email = read('email').trim();
          await requestPassword({ email });
          setSentTo(email);
          return undefined;
        }}
        submitLabel={t('forgotten.send')}
      >
        <label className="field">
          <span className="label">{t('login.email')}</span>
          <input autoComplete="username" autoFocus className="input" name="email" required type="email" />
        </label>
      </EntranceForm>
      <Link to="/">{t('link.toLogin')}</Link>
    </EntranceScreen>
  );
}

export const InvitationPage = () => <LinkPage kind="invitation" />;
export const PasswordPage = () => <LinkPage kind="password" />;
