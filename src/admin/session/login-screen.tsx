import { Link } from '@tanstack/react-router';
import { type ReactNode, useState, Suspense } from 'react';
import { t } from '../texts/index.js';
import { Preferences } from '../shell/preferences.js';
import { Dialog } from '../ui/dialog.js';
import {
  logOut,
  lastTenant,
  startSignOn,
  logIn,
  type Credentials,
  type LoginChallenge,
} from '../api/sessions-client.js';
import type { SessionUser } from '../api/session-store.js';
import { CallForm } from '../ui/call-form.js';
import { failureOf } from '../api/failure.js';
import { Loading } from '../ui/states.js';
import { lazyPart } from '../ui/lazy-part.js';
import { hasPasskeys, PasskeyButton } from './passkey-button.js';

const CodeStep = lazyPart(() => import('./code-step.js'), 'CodeStep');

interface Props {
  /** Of a session that ended: the same user logs in again. */
  readonly email?: string;
  readonly onLoggedIn?: (userId: string) => void;
}

interface FieldProps {
  readonly email: string;
  readonly needsTenant: boolean;
}

function CredentialFields({ email, needsTenant }: FieldProps) {
  return (
    <>
      <label className="field">
        <span className="label">{t('login.email')}</span>
        <input
          autoComplete="username"
          autoFocus={email === ''}
          className="input"
          defaultValue={email}
          name="email"
          required
          type="email"
        />
      </label>
      <label className="field">
        <span className="label">{t('login.password')}</span>
        <input
          autoComplete="current-password"
          data-focus
          className="input"
          name="password"
          required
          type="password"
        />
      </label>
      {needsTenant && (
        <label className="field">
          <span className="label">{t('login.tenant')}</span>
          <input className="input" name="tenant" required />
        </label>
      )}
    </>
  );
}

/** Asks for the tenant only if accounts of several have the address. */
function LoginForm({ email = '', onLoggedIn }: Props) {
  const [needsTenant, setNeedsTenant] = useState(false);
  const [challenge, setChallenge] = useState<LoginChallenge>();
  const submit = async (read: (name: string) => string): Promise<string | undefined> => {
    const tenantSlug = read('tenant').trim();
    const credentials: Credentials = {
      email: read('email').trim(),
      password: read('password'),
      ...(tenantSlug !== '' && { tenantSlug }),
    };
    try {
      const result = await logIn(credentials);
      if ('methods' in result) setChallenge(result);
      else onLoggedIn?.(result.user.id);
      return undefined;
    } catch (error) {
      if (failureOf(error).code !== 'tenant_required') throw error;
      setNeedsTenant(true);
      return t('login.tenantHint');
    }
  };
  if (challenge !== undefined)
    return (
      <Suspense fallback={<Loading />}>
        <CodeStep
          challenge={challenge}
          onBack={() => setChallenge(undefined)}
          onLoggedIn={(userId) => onLoggedIn?.(userId)}
        />
      </Suspense>
    );
  return (
    <>
      <CallForm onSubmit={submit} submit={t('login.submit')}>
        <CredentialFields email={email} needsTenant={needsTenant} />
      </CallForm>
      {hasPasskeys && <PasskeyButton onLoggedIn={(userId) => onLoggedIn?.(userId)} />}
    </>
  );
}

/** Asks for the organization, and leaves for the page of its identity provider. */
function SignOnForm() {
  const [isOpen, setIsOpen] = useState(lastTenant() !== '');
  if (!isOpen)
    return (
      <button className="button plain" onClick={() => setIsOpen(true)} type="button">
        {t('signOn.start')}
      </button>
    );
  const start = async (read: (name: string) => string): Promise<undefined> => {
    await startSignOn(read('organization').trim());
  };
  return (
    <CallForm look="plain" onSubmit={start} submit={t('signOn.go')}>
      <label className="field">
        <span className="label">{t('signOn.start')}</span>
        <input
          autoCapitalize="none"
          autoComplete="organization"
          className="input"
          defaultValue={lastTenant()}
          name="organization"
          required
        />
        <span className="soft">{t('signOn.tenantHint')}</span>
      </label>
    </CallForm>
  );
}

/** Shown over the screen of a session that ended. Waiting calls go on afterwards; another user starts afresh. */
export function LoginAgain({ user }: { readonly user: SessionUser }) {
  return (
    <Dialog title={t('login.again')}>
      <p>{t('login.againHint')}</p>
      <LoginForm
        email={user.email}
        onLoggedIn={(id) => {
          if (id !== user.id) location.reload();
        }}
      />
      <button className="button plain" onClick={() => void logOut()} type="button">
        {t('login.logout')}
      </button>
    </Dialog>
  );
}

/** A page that needs no session. */
export function EntranceScreen({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <main className="login">
      <section aria-labelledby="login-title" className="card stack">
        <div className="brand">
          <img alt="" height="28" src={`${import.meta.env.BASE_URL}favicon.svg`} width="28" />
          <span>{t('app.name')}</span>
        </div>
        <h1 id="login-title">{title}</h1>
        {children}
        <Preferences />
      </section>
    </main>
  );
}

export const LoginScreen = () => (
  <EntranceScreen title={t('login.title')}>
    <LoginForm />
    <Link to="/forgot-password">{t('login.forgotten')}</Link>
    <SignOnForm />
  </EntranceScreen>
);
