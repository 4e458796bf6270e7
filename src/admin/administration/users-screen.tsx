import { useQuery } from '@tanstack/react-query';
import { users } from '../../../contracts/management/users.contract.js';
import { api, client, type Outputs } from '../api/client.js';
import { everyItem, PAGE_SIZE } from '../api/every-item.js';
import { useProject } from '../api/project-data.js';
import type { PropertyControlProps } from '../resources/control-props.js';
import { OptionChecks } from '../resources/option-checks.js';
import { deletion, resourceOf } from '../resources/resource-config.js';
import { ResourceScreen } from '../resources/resource-screen.js';
import { Loaded } from '../ui/states.js';

type User = Outputs['users']['get']['data'];

/** Every role of the project. */
export const useRoles = () => {
  const { slug: projectSlug } = useProject();
  return useQuery({
    queryKey: [...api.roles.list.queryKey({ projectSlug }), 'every'],
    queryFn: () => everyItem((page) => client.roles.list.query({ projectSlug, page, limit: PAGE_SIZE })),
  });
};

function RoleChecks(props: PropertyControlProps) {
  const roles = useRoles();
  return (
    <Loaded query={roles}>
      {(all) => <OptionChecks {...props} options={all.map(({ id, name }) => ({ value: id, label: name }))} />}
    </Loaded>
  );
}

const resource = resourceOf<User>({
  name: 'users',
  contracts: users,
  title: 'users.title',
  createLabel: 'users.create',
  nameOf: ({ name, email }) => name || email,
  columns: ['name', 'status', 'email', 'roles', 'lastActiveAt'],
  cells: { name: ({ name, email }) => name || email },
  facts: ['email', 'status', 'lastActiveAt', 'createdAt'],
  form: {
    order: ['email', 'name', 'roleIds', 'status', 'password', 'avatarUrl'],
    editors: { roleIds: RoleChecks },
  },
  // An invited user becomes active by logging in.
  valuesOf: ({ name, avatarUrl, roles, status }) => ({
    name,
    avatarUrl,
    roleIds: roles.map(({ id }) => id),
    status: status === 'invited' ? undefined : status,
  }),
  actions: [
    {
      verb: 'resetPassword',
      label: 'users.reset',
      question: 'users.resetQuestion',
      done: 'users.resetDone',
    },
    deletion({
      verb: 'remove',
      label: 'users.remove',
      question: 'users.removeQuestion',
      done: 'users.removed',
    }),
  ],
  // The number of members of a role.
  refreshes: [[['roles']]],
});

export const UsersScreen = () => <ResourceScreen resource={resource} />;
