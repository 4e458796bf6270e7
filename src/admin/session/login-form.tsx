import { Suspense, useState } from 'react';
import { failureOf } from '../api/failure.js';
import { t } from '../texts/index.js';
import { Loading } from '../ui/states.js';
import { logIn, type Credentials, type LoginChallenge } from '../api/sessions-client.js';
import { CallForm } from '../ui/call-form.js';
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
export function LoginForm({ email = '', onLoggedIn }: Props) {
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
