import { tasks as contracts } from '../../contracts/management/tasks.contract.js';
import { listTasks } from '../features/tasks/list-tasks.js';
import { bind } from './bind.js';
import { query } from './run.js';

export const tasks = bind(contracts, { list: query(listTasks) });
