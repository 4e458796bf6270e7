import { newCode, newLocale, unusedLocale } from '../support/factories/locale.js';
import { unique } from '../support/factories/project.js';
import type { Example, Scene } from '../support/scene.js';
import { platform, type Table } from './row.js';

const inTenant =
  (rest: (scene: Scene) => Promise<object> | object): Example =>
  async (scene) => ({ tenantSlug: scene.project.tenantSlug, ...(await rest(scene)) });

export const tenantLocales: Table<'tenantLocales'> = {
  list: { access: platform, example: inTenant(() => ({})) },
  create: { access: platform, example: inTenant(() => ({ code: newCode() })), event: 'locale.created' },
  get: { access: platform, example: inTenant(() => ({ code: 'en' })) },
  update: {
    access: platform,
    example: inTenant(async (scene) => ({ code: await unusedLocale(scene), name: unique() })),
    event: 'locale.updated',
  },
  delete: {
    access: platform,
    example: inTenant(async (scene) => ({ code: await newLocale(scene) })),
    event: 'locale.deleted',
  },
};
