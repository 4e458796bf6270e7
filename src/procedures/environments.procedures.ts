import { environments as environmentsContracts } from '../../contracts/environments/environments/environments.contract.js';
import {
  createEnvironment,
  deleteEnvironment,
  getEnvironment,
  listEnvironments,
  selectEnvironment,
  updateEnvironment,
} from '../features/environments/environments/environments.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const environments = bind(environmentsContracts, {
  list: query(listEnvironments),
  create: mutation(createEnvironment, { inParts: true, with: (services) => services.environments }),
  get: query(getEnvironment),
  update: mutation(updateEnvironment, { lock: 'none' }),
  delete: mutation(deleteEnvironment, { lock: 'schema' }),
  select: mutation(selectEnvironment, { lock: 'none' }),
});
