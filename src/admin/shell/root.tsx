import { Outlet, useLocation } from '@tanstack/react-router';
import { LoginAgain } from '../session/login-again.js';
import { LoginScreen } from '../session/login-screen.js';
import { useSession } from '../api/session-store.js';
import { t } from '../texts/index.js';
import { Toasts } from '../ui/toasts.js';
import { useOnline } from '../ui/use-online.js';

/** Pages of links that users get by mail. */
const openPages = /^\/(invitation|password|forgot-password)\/?$/;

/** The address stays while a user logs in, so a link opens what it names afterwards. */
export function Root() {
  const session = useSession();
  const isOnline = useOnline();
  const isOpen = openPages.test(useLocation().pathname);
  return (
    <>
      {!isOnline && (
        <div className="notice offline" role="status">
          {t('app.offline')}
        </div>
      )}
      {session.status === 'none' && !isOpen ? <LoginScreen /> : <Outlet />}
      {session.status === 'lost' && !isOpen && <LoginAgain user={session.session.user} />}
      <Toasts />
    </>
  );
}
