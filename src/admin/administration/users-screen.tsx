import { users } from '../../../contracts/access/users/users.contract.js';
import type { Outputs } from '../api/client.js';
import { deletion, resourceOf } from '../resources/resource-config.js';
import { ResourceScreen } from '../resources/resource-screen.js';
import { RoleChecks } from './role-checks.js';

type User = Outputs['users']['get']['data'];

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
