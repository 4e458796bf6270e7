import { inProject } from '../support/scene.js';
import { account, membersAndScoped, type Table } from './row.js';

export const me: Table<'me'> = {
  get: { access: account, example: () => Promise.resolve({}) },
  projects: { access: account, example: () => Promise.resolve({}) },
  rights: { access: membersAndScoped('any'), example: inProject(() => ({})) },
};
