import { projects as contracts } from '../../contracts/platform/projects.contract.js';
import { createProject } from '../features/projects/create-project.js';
import { listProjects } from '../features/projects/list-projects.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const projects = bind(contracts, {
  list: query(listProjects),
  create: mutation(createProject, { lock: 'schema' }),
});
