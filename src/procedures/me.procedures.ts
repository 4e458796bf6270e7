import { me as contracts } from '../../contracts/management/me.contract.js';
import { AppError } from '../../contracts/errors.js';
import { getMe } from '../features/me/get-me.js';
import { listMyProjects } from '../features/me/list-my-projects.js';
import { myRights, type IdentifiedCall } from '../features/me/my-rights.js';
import { bind } from './bind.js';
import type { OperationScope } from './call.js';
import { query } from './run.js';

function identifiedCall({ principal, catalog, call }: OperationScope): IdentifiedCall {
  if (catalog === null) throw new AppError('project_not_found');
  return { principal, catalog, surface: call.surface };
}

export const me = bind(contracts, {
  get: query(getMe),
  projects: query(listMyProjects),
  rights: query(myRights, { read: identifiedCall }),
});
