import { newCode, newLocale, unusedLocale } from '../support/factories/locale.js';
import { unique } from '../support/factories/project.js';
import { inProject } from '../support/scene.js';
import { allow, members, type Table } from './row.js';

const owners = allow('owner')('none');

export const locales: Table<'locales'> = {
  list: { access: members('read'), example: inProject(() => ({})) },
  create: { access: owners, example: inProject(() => ({ code: newCode() })), event: 'locale.created' },
  get: { access: members('read'), example: inProject(() => ({ code: 'en' })) },
  update: {
    access: owners,
    example: inProject(async (scene) => ({ code: await unusedLocale(scene), name: unique() })),
    event: 'locale.updated',
  },
  delete: {
    access: owners,
    example: inProject(async (scene) => ({ code: await newLocale(scene) })),
    event: 'locale.deleted',
  },
};
