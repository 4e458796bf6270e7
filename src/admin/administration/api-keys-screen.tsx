import { apiKeys } from '../../../contracts/access/api-keys/api-keys.contract.js';
import type { Outputs } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { controlOf } from '../fields/field-editor.js';
import type { PropertyControlProps } from '../resources/control-props.js';
import { resourceOf } from '../resources/resource-config.js';
import { ResourceScreen } from '../resources/resource-screen.js';
import { t } from '../texts/index.js';
import { SiteChecks } from './scope-checks.js';

type ApiKey = Outputs['apiKeys']['get']['data'];

function EnvironmentChoice(props: PropertyControlProps) {
  const { environments } = useProject();
  return (
    <select
      {...controlOf(props)}
      className="select"
      onChange={({ target }) => props.onChange(target.value || null)}
      value={typeof props.value === 'string' ? props.value : ''}
    >
      <option value="">{t('apiKeys.any')}</option>
      {environments.map(({ slug, name }) => (
        <option key={slug} value={slug}>
          {name}
        </option>
      ))}
    </select>
  );
}

const isUsable = ({ status }: ApiKey): boolean => status === 'active';

const resource = resourceOf<ApiKey>({
  name: 'apiKeys',
  contracts: apiKeys,
  title: 'apiKeys.title',
  createLabel: 'apiKeys.create',
  nameOf: ({ name }) => name,
  columns: ['name', 'status', 'type', 'environment', 'lastUsedAt', 'expiresAt'],
  cells: {
    environment: ({ environment }) => environment ?? t('apiKeys.any'),
    lastFour: ({ lastFour }) => <span className="code">…{lastFour}</span>,
    prefix: ({ prefix }) => <span className="code">{prefix}…</span>,
  },
  facts: [
    ...(['status', 'type', 'effectivePermissions', 'environment', 'prefix', 'lastFour'] as const),
    ...(['overlapEndsAt', 'lastUsedAt', 'createdAt', 'createdBy'] as const),
  ],
  form: {
    order: ['name', 'type', 'permissions', 'environment', 'siteIds', 'expiresAt', 'description'],
    editors: { siteIds: SiteChecks, environment: EnvironmentChoice },
  },
  canChange: isUsable,
  actions: [
    {
      verb: 'rotate',
      label: 'apiKeys.rotate',
      question: 'apiKeys.rotateQuestion',
      done: 'apiKeys.rotated',
      isOffered: isUsable,
    },
    {
      verb: 'revoke',
      label: 'apiKeys.revoke',
      question: 'apiKeys.revokeQuestion',
      done: 'apiKeys.revoked',
      isDangerous: true,
      isOffered: ({ status }) => status !== 'revoked',
    },
  ],
});

export const ApiKeysScreen = () => <ResourceScreen resource={resource} />;
