import { Link } from '@tanstack/react-router';
import { environments } from '../../../contracts/environments/environments/environments.contract.js';
import type { Outputs } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { controlOf } from '../fields/field-editor.js';
import type { PropertyControlProps } from '../resources/control-props.js';
import { optionLabel } from '../resources/labels.js';
import { deletion, resourceOf, slugOf } from '../resources/resource-config.js';
import { ResourceScreen } from '../resources/resource-screen.js';
import { t } from '../texts/index.js';

type Environment = Outputs['environments']['get']['data'];

const EMPTY = '';
const DEFAULT = '*';

/** An environment to copy, the default one, or none. */
function FromChoice(props: PropertyControlProps) {
  const project = useProject();
  const { value, onChange } = props;
  return (
    <select
      {...controlOf(props)}
      className="select"
      onChange={({ target }) =>
        onChange(target.value === DEFAULT ? undefined : target.value === EMPTY ? null : target.value)
      }
      value={value === undefined ? DEFAULT : typeof value === 'string' ? value : EMPTY}
    >
      <option value={DEFAULT}>{t('environments.copyDefault')}</option>
      {project.environments.map(({ slug, name }) => (
        <option key={slug} value={slug}>
          {name}
        </option>
      ))}
      <option value={EMPTY}>{t('environments.empty')}</option>
    </select>
  );
}

function Base({ environment: { slug, baseEnvironment } }: { readonly environment: Environment }) {
  const project = useProject();
  if (baseEnvironment === null) return <>–</>;
  return (
    <span className="row">
      {baseEnvironment}
      {project.may('promotions.promote') && (
        <Link
          params={{ project: project.slug, environment: project.environment }}
          search={{ source: slug, target: baseEnvironment }}
          to="/$project/$environment/promote"
        >
          {t('environments.compare')}
        </Link>
      )}
    </span>
  );
}

const isMoving = ({ status }: Environment): boolean => status === 'creating' || status === 'promoting';

function Status({ environment: { status, progress } }: { readonly environment: Environment }) {
  return (
    <span className="row tight">
      <span className={`badge ${status}`}>{optionLabel('status', status)}</span>
      {progress !== null && <span className="soft small">{t('environments.progress', { ...progress })}</span>}
    </span>
  );
}

const resource = resourceOf<Environment>({
  name: 'environments',
  contracts: environments,
  title: 'environments.title',
  createLabel: 'environments.create',
  nameOf: ({ name }) => name,
  key: { input: 'environmentSlug', item: 'slug' },
  columns: ['name', 'status', 'slug', 'baseEnvironment', 'entryCount', 'isProtected'],
  cells: {
    name: ({ name, isDefault }) => (isDefault ? `${name} (${t('environment.default')})` : name),
    status: (environment) => <Status environment={environment} />,
    baseEnvironment: (environment) => <Base environment={environment} />,
  },
  facts: ['slug', 'status', 'baseEnvironment', 'entryCount', 'createdAt', 'createdBy'],
  form: {
    order: ['name', 'slug', 'description', 'from', 'copyContent'],
    editors: { from: FromChoice },
    named: { slug: slugOf },
  },
  isMoving,
  actions: [deletion({ isOffered: ({ isDefault, isProtected }) => !isDefault && !isProtected })],
  // The switch at the top.
  refreshes: [['project']],
});

export const EnvironmentsScreen = () => <ResourceScreen resource={resource} />;
