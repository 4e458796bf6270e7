import { useEffect, useState } from 'react';
import { failureOf } from '../api/failure.js';
import { type LoginChallenge, finishSignOn } from '../api/sessions-client.js';
import { maybeText, t } from '../texts/index.js';
import { CodeStep } from './code-step.js';
import { EntranceScreen } from './login-screen.js';

/** The code works once, also where React runs effects twice. */
let finishing: ReturnType<typeof finishSignOn> | undefined;

/** Where the identity provider returns the browser. */
export function SignOnReturn() {
  const [message, setMessage] = useState<string>();
  const [asked, setAsked] = useState<{ challenge: LoginChallenge; page: string }>();
  useEffect(() => {
    finishing ??= finishSignOn(location.search.slice(1));
    finishing.then(
      ({ page, challenge }) => {
        if (challenge === undefined) location.replace(page);
        else setAsked({ challenge, page });
      },
      (error: unknown) => {
        const failure = failureOf(error);
        const { reason } = (failure.details ?? {}) as { readonly reason?: unknown };
        const known = typeof reason === 'string' ? maybeText(`signOn.reason.${reason}`) : undefined;
        setMessage(known ?? (failure.code === 'sign_on_failed' ? t('signOn.failed') : failure.message));
      },
    );
  }, []);
  if (asked !== undefined)
    return (
      <EntranceScreen title={t('signOn.title')}>
        <CodeStep
          challenge={asked.challenge}
          onBack={() => location.replace(import.meta.env.BASE_URL)}
          onLoggedIn={() => location.replace(asked.page)}
        />
      </EntranceScreen>
    );
  return (
    <EntranceScreen title={t('signOn.title')}>
      <p aria-live="polite">{message ?? t('signOn.finishing')}</p>
      {message !== undefined && <a href={import.meta.env.BASE_URL}>{t('signOn.again')}</a>}
    </EntranceScreen>
  );
}
