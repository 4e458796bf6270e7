import { Suspense, useId, useState } from 'react';
import { failureOf } from '../api/failure.js';
import { t } from '../texts/index.js';
import { Loading } from '../ui/states.js';
import { logIn, type Credentials } from '../api/sessions-client.js';
import { lazyPart } from '../ui/lazy-part.js';

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
  const [message, setMessage] = useState<string>();
  const [needsTenant, setNeedsTenant] = useState(false);
  const [challenge, setChallenge] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const messageId = useId();
  const submit = async (form: FormData): Promise<void> => {
    const read = (name: string): string => (form.get(name) ?? '') as string;
    const tenantSlug = read('tenant').trim();
    const credentials: Credentials = {
      email: read('email').trim(),
      password: read('password'),
      ...(tenantSlug !== '' && { tenantSlug }),
    };
    setIsBusy(true);
    setMessage(undefined);
    try {
      const result = await logIn(credentials);
      if ('challenge' in result) setChallenge(result.challenge);
      else onLoggedIn?.(result.user.id);
    } catch (error) {
      const failure = failureOf(error);
      setNeedsTenant(needsTenant || failure.code === 'tenant_required');
      setMessage(failure.code === 'tenant_required' ? t('login.tenantHint') : failure.message);
    } finally {
      setIsBusy(false);
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
    <form
      aria-describedby={messageId}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      <CredentialFields email={email} needsTenant={needsTenant} />
      <p aria-live="polite" className="problem" id={messageId}>
        {message}
      </p>
      <button className="button primary" disabled={isBusy} type="submit">
        {t('login.submit')}
      </button>
    </form>
  );
}
