import { ResourceScreen } from '../resources/resource-screen.js';
import { roles } from '../../../contracts/access/roles/roles.contract.js';
import type { Outputs } from '../api/client.js';
import { deletion, resourceOf } from '../resources/resource-config.js';

export type Role = Outputs['roles']['get']['data'];

export const roleResource = resourceOf<Role>({
  name: 'roles',
  contracts: roles,
  title: 'roles.title',
  hint: 'roles.hint',
  createLabel: 'roles.create',
  nameOf: ({ name }) => name,
  columns: ['name', 'memberCount', 'slug', 'description', 'isSystem'],
  canChange: ({ isSystem }) => !isSystem,
  actions: [deletion({ isOffered: ({ isSystem }) => !isSystem })],
  screenOf: ({ id }) => `roles/${id}`,
});

export const RolesScreen = () => <ResourceScreen resource={roleResource} />;
