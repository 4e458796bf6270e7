import { environments as contracts } from '../../contracts/management/environments.contract.js';
import { createEnvironment } from '../features/environments/create-environment.js';
import { deleteEnvironment } from '../features/environments/delete-environment.js';
import { getEnvironment } from '../features/environments/get-environment.js';
import { listEnvironments } from '../features/environments/list-environments.js';
import { selectEnvironment } from '../features/environments/select-environment.js';
import { updateEnvironment } from '../features/environments/update-environment.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const environments = bind(contracts, {
  list: query(listEnvironments),
  create: mutation(createEnvironment, { inParts: true, with: (services) => services.environments }),
  get: query(getEnvironment),
  update: mutation(updateEnvironment, { lock: 'none' }),
  delete: mutation(deleteEnvironment, { lock: 'schema' }),
  select: mutation(selectEnvironment, { lock: 'none' }),
});
