import { Dialog } from '../ui/dialog.js';
import { t } from '../texts/index.js';
import { LoginForm } from './login-form.js';
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
