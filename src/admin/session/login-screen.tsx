import { t } from '../texts/index.js';
import { Preferences } from '../shell/preferences.js';
import { LoginForm } from './login-form.js';

export function LoginScreen() {
  return (
    <main className="login">
      <section aria-labelledby="login-title" className="card stack">
        <div className="brand">
          <img alt="" height="28" src={`${import.meta.env.BASE_URL}favicon.svg`} width="28" />
          <span>{t('app.name')}</span>
        </div>
        <h1 id="login-title">{t('login.title')}</h1>
        <LoginForm />
        <Preferences />
      </section>
    </main>
  );
}
