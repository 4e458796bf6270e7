import { ipAllowlist } from '../../../contracts/access/ip-allowlist/ip-allowlist.contract.js';
import { type Outputs, api, client } from '../api/client.js';
import { deletion, resourceOf } from '../resources/resource-config.js';
import { ResourceScreen } from '../resources/resource-screen.js';
import { useQuery } from '@tanstack/react-query';
import { useProject } from '../api/project-data.js';
import { useSession } from '../api/session-store.js';
import { OperationForm } from '../resources/operation-form.js';
import { refreshAfter, type Refusal } from '../resources/use-operation.js';
import { t } from '../texts/index.js';
import { Loaded } from '../ui/states.js';
import { notify, notifyFailure } from '../ui/toasts.js';

type Settings = Outputs['ipAllowlist']['set']['data'];

/** Adds the address that the caller has, then tries again. */
function AllowMine({ refusal, retry }: { readonly refusal: Refusal; readonly retry: () => void }) {
  const { slug: projectSlug, may } = useProject();
  const { address } = refusal.details;
  if (refusal.code !== 'ip_lockout' || typeof address !== 'string') return null;
  const allow = async (): Promise<void> => {
    try {
      await client.ipAllowlist.create.mutate({ projectSlug, cidr: address, label: t('ip.mine') });
      await refreshAfter('ipAllowlist');
      retry();
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <div className="notice warn wrap" role="alert">
      <span className="grow">{t('ip.lockout', { address })}</span>
      {may('ipAllowlist.create') && (
        <button className="button" onClick={() => void allow()} type="button">
          {t('ip.allowMine', { address })}
        </button>
      )}
    </div>
  );
}

function SettingsForm({ settings }: { readonly settings: Settings }) {
  const { slug: projectSlug, may } = useProject();
  const session = useSession();
  const isExempt = session.status !== 'none' && session.session.user.isSuperAdmin;
  return (
    <div className="screen-part stack">
      <p className={settings.enabled ? 'notice' : 'notice warn'}>
        {t(settings.enabled ? 'ip.enabled' : 'ip.disabled')}
      </p>
      {may('ipAllowlist.update') && (
        <>
          {isExempt && <p className="soft">{t('ip.exempt')}</p>}
          <OperationForm
            afterRefusal={(refusal, retry) => <AllowMine refusal={refusal} retry={retry} />}
            contract={ipAllowlist.set}
            current={{ ...settings }}
            fixed={{ projectSlug }}
            // What the form starts with is what was saved.
            key={JSON.stringify(settings)}
            onDone={() => {
              notify(t('ip.saved'));
              void refreshAfter('ipAllowlist');
            }}
            operation="ipAllowlist.set"
            submitLabel={t('resource.save')}
          />
        </>
      )}
    </div>
  );
}

/** Whether the allowlist applies, and to what. The service refuses a change that would lock the caller out. */
function IpSettings() {
  const { slug: projectSlug } = useProject();
  const list = useQuery(api.ipAllowlist.list.queryOptions({ projectSlug, limit: 1 }));
  // The list below shows what failed.
  if (list.error !== null) return null;
  return <Loaded query={list}>{({ meta }) => <SettingsForm settings={meta.settings} />}</Loaded>;
}

type IpRule = Outputs['ipAllowlist']['get']['data'];

const resource = resourceOf<IpRule>({
  name: 'ipAllowlist',
  contracts: ipAllowlist,
  title: 'ip.title',
  createLabel: 'ip.create',
  nameOf: ({ cidr }) => cidr,
  columns: ['cidr', 'isActive', 'label', 'expiresAt', 'createdBy', 'createdAt'],
  form: { order: ['cidr', 'label', 'isActive', 'expiresAt'], start: { isActive: true } },
  facts: ['createdBy', 'createdAt', 'updatedAt'],
  actions: [deletion()],
});

export const IpAllowlistScreen = () => (
  <ResourceScreen resource={resource}>
    <IpSettings />
  </ResourceScreen>
);
