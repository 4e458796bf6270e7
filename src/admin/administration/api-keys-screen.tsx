import { MemberKeysPart } from '../account/personal-keys.js';
import { apiKeys } from '../../../contracts/access/api-keys/api-keys.contract.js';
import type { Outputs } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { OptionSelect } from '../fields/choice-editors.js';
import type { PropertyControlProps } from '../resources/control-props.js';
import type { Values } from '../resources/form-input.js';
import { optionLabel } from '../resources/labels.js';
import { OptionChecks } from '../resources/option-checks.js';
import { resourceOf } from '../resources/resource-config.js';
import { ResourceScreen } from '../resources/resource-screen.js';
import { t } from '../texts/index.js';
import { SiteChecks } from './scope-checks.js';

type ApiKey = Outputs['apiKeys']['get']['data'];

function EnvironmentChoice(props: PropertyControlProps) {
  const { environments } = useProject();
  const options = environments.map(({ slug, name }) => ({ value: slug, label: name }));
  return <OptionSelect {...props} none={t('apiKeys.any')} options={options} />;
}

const purposes = ['delivery', 'preview', 'write', 'everything'] as const;
type Purpose = (typeof purposes)[number];

/** What the key is for, of which its type and its actions follow. */
function PurposeChoice({ id, label, value, describedBy, onChange }: PropertyControlProps) {
  return (
    <div aria-describedby={describedBy} aria-label={label} className="choices" id={id} role="radiogroup">
      {purposes.map((purpose) => (
        <label className="choice" key={purpose}>
          <input
            checked={value === purpose}
            name={id}
            onChange={() => onChange(purpose)}
            type="radio"
            value={purpose}
          />
          <span className="grow">
            <strong>{t(`apiKeys.for.${purpose}`)}</strong>
            <br />
            <span className="soft small">{t(`apiKeys.forHint.${purpose}`)}</span>
          </span>
        </label>
      ))}
    </div>
  );
}

const writing = ['create', 'update', 'publish', 'unpublish', 'delete'] as const;

const WritingChecks = (props: PropertyControlProps) => (
  <OptionChecks
    {...props}
    options={writing.map((value) => ({ value, label: optionLabel('permissions', value) }))}
  />
);

const kinds: Readonly<Record<Purpose, ApiKey['type']>> = {
  delivery: 'delivery',
  preview: 'preview',
  write: 'management',
  everything: 'management',
};

const isPurpose = (value: unknown): value is Purpose => purposes.some((one) => one === value);

/** An empty list of actions would permit all of them: only the choice of everything sends one. */
function complete(values: Values): Values {
  const { type: purpose, permissions } = values;
  if (!isPurpose(purpose)) return values;
  const chosen = Array.isArray(permissions) ? (permissions as string[]) : [];
  const actions = purpose === 'write' ? ['read', ...chosen] : ['read'];
  return { ...values, type: kinds[purpose], permissions: purpose === 'everything' ? [] : actions };
}

const writerKeys = new Set(['permissions', 'siteIds', 'draftOnly', 'requireConfirmation', 'toolsets']);

const isShown = (key: string, { type: purpose }: Values): boolean =>
  !isPurpose(purpose) ||
  (key === 'toolsets' && purpose !== 'delivery') ||
  !writerKeys.has(key) ||
  purpose === 'write' ||
  (purpose === 'everything' && key !== 'permissions');

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
    editors: {
      siteIds: SiteChecks,
      environment: EnvironmentChoice,
      type: PurposeChoice,
      permissions: WritingChecks,
    },
    start: { type: 'delivery', permissions: ['create', 'update', 'publish'] },
    isShown,
    complete,
  },
  canChange: isUsable,
  actions: [
    {
      verb: 'rotate',
      label: 'apiKeys.rotate',
      question: 'apiKeys.rotateQuestion',
      done: 'apiKeys.rotated',
      isOffered: (key) => isUsable(key) && key.oauthClientId === null,
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

export function ApiKeysScreen() {
  const { slug, may } = useProject();
  return (
    <>
      <ResourceScreen resource={resource} />
      {may('personalKeys.listOfProject') && (
        <MemberKeysPart mayRevoke={may('personalKeys.revokeOfProject')} projectSlug={slug} />
      )}
    </>
  );
}
