import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { signOn } from '../../../contracts/tenancy/sign-on/sign-on.contract.js';
import { api, client, type Outputs } from '../api/client.js';
import { failureOf } from '../api/failure.js';
import { useProject } from '../api/project-data.js';
import { signOnPage } from '../api/sessions-client.js';
import { OperationForm } from '../resources/operation-form.js';
import { refreshAfter } from '../resources/use-operation.js';
import { maybeText, t } from '../texts/index.js';
import { Loaded } from '../ui/states.js';
import { notify } from '../ui/toasts.js';

type Settings = Outputs['signOn']['get']['data'];

/** Asks the provider now, so that a mistake is found before users depend on it. */
function Check({ tenantSlug }: { readonly tenantSlug: string }) {
  const [outcome, setOutcome] = useState<string>();
  const check = async (): Promise<void> => {
    setOutcome(t('signOn.checking'));
    try {
      const { isReady, reason } = (await client.signOn.check.mutate({ tenantSlug })).data;
      setOutcome(
        isReady ? t('signOn.ready') : (maybeText(`signOn.reason.${reason ?? ''}`) ?? t('signOn.failed')),
      );
    } catch (error) {
      setOutcome(failureOf(error).message);
    }
  };
  return (
    <div className="row wrap">
      <button className="button" onClick={() => void check()} type="button">
        {t('signOn.check')}
      </button>
      <span aria-live="polite">{outcome}</span>
    </div>
  );
}

function SettingsForm({
  tenantSlug,
  settings,
}: {
  readonly tenantSlug: string;
  readonly settings: Settings;
}) {
  const { hasClientSecret, updatedAt: _at, ...current } = settings;
  return (
    <div className="screen-part stack">
      <p className={settings.isActive ? 'notice' : 'notice warn'}>
        {t(settings.isActive ? 'signOn.active' : 'signOn.inactive')}
      </p>
      <p className="soft">
        {t('signOn.register', { page: signOnPage(), after: signOnPage().replace(/sign-on$/, '') })}
      </p>
      {hasClientSecret && <p className="soft">{t('signOn.secretKept')}</p>}
      <OperationForm
        contract={signOn.set}
        current={current}
        fixed={{ tenantSlug }}
        form={{
          order: [
            'label',
            'issuer',
            'clientId',
            'clientSecret',
            'isActive',
            'allowsPasswords',
            'createsAccounts',
          ],
        }}
        // What the form starts with is what was saved.
        key={settings.updatedAt}
        onDone={() => {
          notify(t('signOn.saved'));
          void refreshAfter('signOn');
        }}
        operation="signOn.set"
        submitLabel={t('resource.save')}
      />
      {settings.issuer !== null && <Check tenantSlug={tenantSlug} />}
    </div>
  );
}

/** How the users of a tenant sign on at its identity provider, for super-admins. */
export function SignOnScreen() {
  const { tenant: tenantSlug = '' } = useParams({ strict: false });
  const { slug, environment } = useProject();
  const query = useQuery(api.signOn.get.queryOptions({ tenantSlug }));
  return (
    <section className="screen">
      <h1>{t('signOn.title')}</h1>
      <p className="screen-hint row">
        <Link to={['', slug, environment, 'tenants'].join('/')}>{t('projects.back')}</Link>
        <span className="soft">{t('signOn.ofTenant', { tenant: tenantSlug })}</span>
      </p>
      <Loaded query={query}>{({ data }) => <SettingsForm settings={data} tenantSlug={tenantSlug} />}</Loaded>
    </section>
  );
}
