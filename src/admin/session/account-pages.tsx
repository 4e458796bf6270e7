import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { limits } from '../../../contracts/limits.js';
import { failureOf, type Failure } from '../api/failure.js';
import { readLink, requestPassword, setPassword } from '../api/sessions-client.js';
import { forgetSession } from '../api/session-store.js';
import { accountText } from './account-texts.js';
import { t } from '../texts/index.js';
import { CallForm } from '../ui/call-form.js';
import { EntranceScreen } from './login-screen.js';

type Kind = 'invitation' | 'password';

const reasons = ['used', 'expired', 'replaced', 'revoked', 'unknown'] as const;
type Reason = (typeof reasons)[number];

const reasonIn = ({ details }: Failure): Reason =>
  reasons.find((reason) => reason === details.reason) ?? 'unknown';

/** Why a link does not work, and what to do. */
function DeadLink({ kind, reason }: { readonly kind: Kind; readonly reason: Reason }) {
  const isUsed = reason === 'used';
  return (
    <EntranceScreen title={accountText('link.dead')}>
      <p role="alert">{accountText(`link.${reason}`)}</p>
      {!isUsed && <p>{accountText(kind === 'invitation' ? 'link.askInviter' : 'link.askAgain')}</p>}
      {!isUsed && kind === 'password' && (
        <Link className="button primary" to="/forgot-password">
          {accountText('link.request')}
        </Link>
      )}
      <Link className={isUsed ? 'button primary' : 'button'} to="/">
        {accountText('link.toLogin')}
      </Link>
    </EntranceScreen>
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
          {accountText('link.length', { least: limits.passwordMinimumLength })}
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

type Account = Awaited<ReturnType<typeof readLink>>;

/** The account of the link, once the service has found that it works. */
function useAccount(token: string, onFailure: (failure: Failure) => void): Account | undefined {
  const [account, setAccount] = useState<Account>();
  const report = useEffectEvent(onFailure);
  useEffect(() => {
    if (token === '') return;
    readLink(token).then(setAccount, (error: unknown) => report(failureOf(error)));
  }, [token]);
  return account;
}

function PasswordForm({ token, onDone, onFailure }: PasswordFormProps) {
  return (
    <CallForm
      onSubmit={async (read) => {
        if (read('password') !== read('again')) return accountText('link.differ');
        try {
          await setPassword(token, read('password'));
        } catch (error) {
          return onFailure(failureOf(error));
        }
        // The sessions of the account have ended; another user logs in again.
        forgetSession();
        onDone();
        return undefined;
      }}
      submit={accountText('link.save')}
    >
      <PasswordField isFirst label={accountText('link.new')} name="password" />
      <PasswordField isFirst={false} label={accountText('link.again')} name="again" />
    </CallForm>
  );
}

interface PasswordFormProps {
  readonly token: string;
  readonly onDone: () => void;
  /** Returns what the form shows. */
  readonly onFailure: (failure: Failure) => string | undefined;
}

/** Chooses the password that a link is for. */
function LinkPage({ kind }: { readonly kind: Kind }) {
  const token = useToken();
  const [dead, setDead] = useState<Reason | undefined>(token === '' ? 'unknown' : undefined);
  const [problem, setProblem] = useState<string>();
  const [isDone, setIsDone] = useState(false);
  const refused = (failure: Failure): string | undefined => {
    if (failure.code !== 'invalid_reset_token') return failure.message;
    setDead(reasonIn(failure));
    return undefined;
  };
  const account = useAccount(token, (failure) => setProblem(refused(failure)));
  if (dead !== undefined) return <DeadLink kind={kind} reason={dead} />;
  if (isDone)
    return (
      <EntranceScreen title={accountText('link.done')}>
        <p role="status">{accountText('link.doneHint')}</p>
        <Link className="button primary" to="/">
          {accountText('link.toLogin')}
        </Link>
      </EntranceScreen>
    );
  return (
    <EntranceScreen title={accountText(kind === 'invitation' ? 'link.invitation' : 'link.password')}>
      {kind === 'invitation' && <p>{accountText('link.invitationHint')}</p>}
      {account !== undefined && (
        <p>
          {accountText('link.account', {
            name: account.name,
            email: account.email,
            tenant: account.tenantName,
          })}
        </p>
      )}
      {problem === undefined ? null : <p role="alert">{problem}</p>}
      <PasswordForm onDone={() => setIsDone(true)} onFailure={refused} token={token} />
    </EntranceScreen>
  );
}

export function ForgottenPage() {
  const [sentTo, setSentTo] = useState<string>();
  if (sentTo !== undefined)
    return (
      <EntranceScreen title={accountText('forgotten.title')}>
        <p role="status">{accountText('forgotten.sent', { email: sentTo })}</p>
        <p className="soft small">{accountText('forgotten.none')}</p>
        <Link className="button" to="/">
          {accountText('link.toLogin')}
        </Link>
      </EntranceScreen>
    );
  return (
    <EntranceScreen title={accountText('forgotten.title')}>
      <p>{accountText('forgotten.hint')}</p>
      <CallForm
        onSubmit={async (read) => {
          const email = read('email').trim();
          await requestPassword({ email });
          setSentTo(email);
          return undefined;
        }}
        submit={accountText('forgotten.send')}
      >
        <label className="field">
          <span className="label">{t('login.email')}</span>
          <input autoComplete="username" autoFocus className="input" name="email" required type="email" />
        </label>
      </CallForm>
      <Link to="/">{accountText('link.toLogin')}</Link>
    </EntranceScreen>
  );
}

export const InvitationPage = () => <LinkPage kind="invitation" />;
export const PasswordPage = () => <LinkPage kind="password" />;
