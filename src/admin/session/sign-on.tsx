import { useState } from 'react';
import { failureOf } from '../api/failure.js';
import { lastTenant, startSignOn } from '../api/sign-on-client.js';
import { t } from '../texts/index.js';

/** Asks for the organization, and leaves for the page of its identity provider. */
export function SignOnForm() {
  const [isOpen, setIsOpen] = useState(lastTenant() !== '');
  const [message, setMessage] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  if (!isOpen)
    return (
      <button className="button plain" onClick={() => setIsOpen(true)} type="button">
        {t('signOn.start')}
      </button>
    );
  const start = async (form: FormData): Promise<void> => {
    setIsBusy(true);
    setMessage(undefined);
    try {
      await startSignOn(((form.get('organization') ?? '') as string).trim());
    } catch (error) {
      setMessage(failureOf(error).message);
      setIsBusy(false);
    }
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void start(new FormData(event.currentTarget));
      }}
    >
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
      <p aria-live="polite" className="problem">
        {message}
      </p>
      <button className="button" disabled={isBusy} type="submit">
        {t('signOn.go')}
      </button>
    </form>
  );
}
