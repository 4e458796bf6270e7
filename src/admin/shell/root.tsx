import { Outlet, useLocation, Link, type ErrorComponentProps } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { applyProfile, useProfile } from '../session/profile.js';
import { useSession } from '../api/session-store.js';
import { t } from '../texts/index.js';
import { Toasts } from '../ui/toasts.js';
import { useOnline } from '../ui/hooks.js';
import { lazyPart, loadAhead } from '../ui/lazy-part.js';
import { failureOf } from '../api/failure.js';
import { Empty } from '../ui/states.js';

export function NotFound() {
  return (
    <main>
      <Empty title={t('app.notFound')}>
        <Link className="button" to="/">
          {t('app.home')}
        </Link>
      </Empty>
    </main>
  );
}

/** A fault of the app itself: the rest of it still works. */
export function Broken({ error, reset }: ErrorComponentProps) {
  return (
    <main>
      <Empty hint={failureOf(error).message} title={t('app.broken')}>
        <button className="button" onClick={reset} type="button">
          {t('app.retry')}
        </button>
      </Empty>
    </main>
  );
}

/** Pages of links that users get by mail, and where identity providers return the browser. */
const openPages = /^\/(invitation|password|forgot-password|sign-on)\/?$/;
const loadLogin = () => import('../session/login-screen.js');
const LoginScreen = lazyPart(loadLogin, 'LoginScreen');
const LoginAgain = lazyPart(loadLogin, 'LoginAgain');
const RequiredSecondFactor = lazyPart(() => import('../account/second-factor.js'), 'RequiredSecondFactor');

/** What the user sees as their profile says; without the second factor that the tenant requires, only its setup. */
function Entered() {
  const { data: profile, refetch } = useProfile();
  useEffect(() => {
    if (profile !== undefined) applyProfile(profile);
  }, [profile]);
  if (profile?.needsSecondFactor !== true) return <Outlet />;
  return (
    <Suspense>
      <RequiredSecondFactor onDone={() => void refetch()} />
    </Suspense>
  );
}

/** The address stays while a user logs in, so a link opens what it names afterwards. */
export function Root() {
  const session = useSession();
  const isOnline = useOnline();
  const isOpen = openPages.test(useLocation().pathname);
  useEffect(() => loadAhead(loadLogin), []);
  return (
    <>
      {!isOnline && (
        <div className="notice offline" role="status">
          {t('app.offline')}
        </div>
      )}
      {session.status !== 'none' && !isOpen && <Entered />}
      {isOpen && <Outlet />}
      <Suspense>
        {session.status === 'none' && !isOpen && <LoginScreen />}
        {session.status === 'lost' && !isOpen && <LoginAgain user={session.session.user} />}
      </Suspense>
      <Toasts />
    </>
  );
}
