import { useState } from 'react';
import { lastTenant, startSignOn } from '../api/sign-on-client.js';
import { t } from '../texts/index.js';
import { CallForm } from '../ui/call-form.js';

/** Asks for the organization, and leaves for the page of its identity provider. */
export function SignOnForm() {
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
