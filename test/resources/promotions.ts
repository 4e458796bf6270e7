import { inProject } from '../support/scene.js';
import { branch } from '../support/factories/branch.js';
import { builders, editorsAndViewers, type Table } from './row.js';

export const promotions: Table<'promotions'> = {
  diff: {
    access: editorsAndViewers('read'),
    example: inProject(async (scene) => ({ slug: await branch(scene) })),
  },
  promote: {
    access: builders('update'),
    example: inProject(async (scene) => ({ slug: await branch(scene), mode: 'full' })),
    event: 'environment.promoted',
  },
};
