import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { t } from '../texts/index.js';
import { Preferences } from '../shell/preferences.js';
import { LoginForm } from './login-form.js';
import { Dialog } from '../ui/dialog.js';
import { logOut, lastTenant, startSignOn } from '../api/sessions-client.js';
import type { SessionUser } from '../api/session-store.js';
import { CallForm } from '../ui/call-form.js';

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
