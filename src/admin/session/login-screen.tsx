import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../texts/index.js';
import { Preferences } from '../shell/preferences.js';
import { LoginForm } from './login-form.js';
import { SignOnForm } from './sign-on.js';
import { Dialog } from '../ui/dialog.js';
import { logOut } from '../api/sessions-client.js';
import type { SessionUser } from '../api/session-store.js';

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
