import { users as contracts } from '../../contracts/management/users.contract.js';
import { createUser } from '../features/users/create-user.js';
import { getUser } from '../features/users/get-user.js';
import { listUsers } from '../features/users/list-users.js';
import { resetUserPassword } from '../features/users/reset-user-password.js';
import { removeUser } from '../features/users/remove-user.js';
import { updateUser } from '../features/users/update-user.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const users = bind(contracts, {
  list: query(listUsers),
  create: mutation(createUser, { lock: 'schema' }),
  get: query(getUser),
  update: mutation(updateUser, { lock: 'schema' }),
  resetPassword: mutation(resetUserPassword, { lock: 'schema' }),
  remove: mutation(removeUser, { lock: 'schema' }),
});
