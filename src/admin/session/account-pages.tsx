import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { limits } from '../../../contracts/limits.js';
import { failureOf, type Failure } from '../api/failure.js';
import { readLink, requestPassword, setPassword } from '../api/sessions-client.js';
import { forgetSession } from '../api/session-store.js';
import { t, ownTexts } from '../texts/index.js';
import { CallForm } from '../ui/call-form.js';
import { EntranceScreen } from './login-screen.js';

/** Of the pages that need no session, which few people see: the app does not load these texts at first. */
export const accountText = ownTexts({
  en: {
    'forgotten.title': 'Forgotten password',
    'forgotten.hint': 'Enter your email address. You get a link to choose a new password.',
    'forgotten.send': 'Send the link',
    'forgotten.sent':
      'If an account has the address {email}, a mail with a link is on its way. The link works for one hour.',
    'forgotten.none':
      'No mail? Look into the spam folder, or ask an administrator of your project for a link.',
    'link.invitation': 'Accept the invitation',
    'link.invitationHint': 'Choose the password that you will log in with.',
    'link.password': 'Choose a new password',
    'link.account': 'For {name} ({email}) in “{tenant}”.',
    'link.new': 'New password',
    'link.again': 'Repeat the password',
    'link.length': 'At least {least} characters.',
    'link.differ': 'The two passwords are different.',
    'link.save': 'Save the password',
    'link.done': 'Your password is saved',
    'link.doneHint': 'Log in with it now.',
    'link.toLogin': 'To the login',
    'link.dead': 'This link does not work',
    'link.used': 'The link has been used: your password is set. Log in with it.',
    'link.expired': 'The link has expired.',
    'link.replaced': 'A newer link was made since. Use the one in the latest mail.',
    'link.revoked': 'The link was withdrawn, or what it was for has changed.',
    'link.unknown':
      'The link is incomplete, or does not belong to this installation. Copy it as a whole from the mail.',
    'link.askInviter': 'Ask the person who invited you to send the invitation again.',
    'link.askAgain': 'You can request a new link.',
    'link.request': 'Request a new link',
  },
  de: {
    'forgotten.title': 'Passwort vergessen',
    'forgotten.hint':
      'Geben Sie Ihre E-Mail-Adresse ein. Sie erhalten einen Link, mit dem Sie ein neues Passwort festlegen.',
    'forgotten.send': 'Link senden',
    'forgotten.sent':
      'Wenn ein Konto die Adresse {email} hat, ist eine E-Mail mit einem Link unterwegs. Der Link gilt eine Stunde.',
    'forgotten.none':
      'Keine E-Mail? Sehen Sie im Spam-Ordner nach, oder bitten Sie eine Person aus der Verwaltung Ihres Projekts um einen Link.',
    'link.invitation': 'Einladung annehmen',
    'link.invitationHint': 'Legen Sie das Passwort fest, mit dem Sie sich anmelden werden.',
    'link.password': 'Neues Passwort festlegen',
    'link.account': 'Für {name} ({email}) bei „{tenant}“.',
    'link.new': 'Neues Passwort',
    'link.again': 'Passwort wiederholen',
    'link.length': 'Mindestens {least} Zeichen.',
    'link.differ': 'Die beiden Passwörter sind verschieden.',
    'link.save': 'Passwort speichern',
    'link.done': 'Ihr Passwort ist gespeichert',
    'link.doneHint': 'Melden Sie sich jetzt damit an.',
    'link.toLogin': 'Zur Anmeldung',
    'link.dead': 'Dieser Link gilt nicht',
    'link.used': 'Der Link wurde verwendet: Ihr Passwort ist festgelegt. Melden Sie sich damit an.',
    'link.expired': 'Der Link ist abgelaufen.',
    'link.replaced': 'Seitdem wurde ein neuerer Link erzeugt. Verwenden Sie den aus der letzten E-Mail.',
    'link.revoked': 'Der Link wurde zurückgezogen, oder es hat sich geändert, wofür er galt.',
    'link.unknown':
      'Der Link ist unvollständig oder gehört nicht zu dieser Installation. Kopieren Sie ihn vollständig aus der E-Mail.',
    'link.askInviter': 'Bitten Sie die Person, die Sie eingeladen hat, die Einladung noch einmal zu senden.',
    'link.askAgain': 'Sie können einen neuen Link anfordern.',
    'link.request': 'Neuen Link anfordern',
  },
});

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
