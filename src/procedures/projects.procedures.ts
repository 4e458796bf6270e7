import { projects as contracts } from '../../contracts/platform/projects.contract.js';
import { createProject, listProjects } from '../features/projects/index.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const projects = bind(contracts, {
  list: query(listProjects),
  create: mutation(createProject, { lock: 'schema' }),
});
