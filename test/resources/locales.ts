import { inProject } from '../support/scene.js';
import { members, type Table } from './row.js';

export const locales: Table<'locales'> = {
  list: { access: members('read'), example: inProject(() => ({})) },
};
