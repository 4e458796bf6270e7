import { users as contracts } from '../../contracts/management/users.contract.js';
import { createUser, getUser, listUsers, removeUser, updateUser } from '../features/users/index.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const users = bind(contracts, {
  list: query(listUsers),
  create: mutation(createUser, { lock: 'schema' }),
  get: query(getUser),
  update: mutation(updateUser, { lock: 'schema' }),
  remove: mutation(removeUser, { lock: 'schema' }),
});
