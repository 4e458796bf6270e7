import { inProject, type Scene } from '../support/scene.js';
import { branch } from '../support/factories/branch.js';
import { must } from '../support/call.js';
import { builders, editorsAndViewers, type Table } from './row.js';

async function promotion(scene: Scene): Promise<string> {
  const slug = await branch(scene);
  const { management, keys } = scene.project;
  const path = `${management}/environments/${slug}/promote`;
  const body = { mode: 'full' };
  const call = { method: 'POST', path, key: keys.management, body } as const;
  return (await must<{ promotionId: string }>(scene.app, call)).promotionId;
}

export const promotions: Table<'promotions'> = {
  diff: {
    access: editorsAndViewers('read'),
    example: inProject(async (scene) => ({ slug: await branch(scene) })),
  },
  list: {
    access: editorsAndViewers('read'),
    example: inProject(async (scene) => {
      await promotion(scene);
      return { slug: 'main' };
    }),
  },
  get: {
    access: editorsAndViewers('read'),
    example: inProject(async (scene) => ({ slug: 'main', promotionId: await promotion(scene) })),
  },
  promote: {
    access: builders('update'),
    example: inProject(async (scene) => ({ slug: await branch(scene), mode: 'full' })),
    event: 'environment.promoted',
  },
  rollback: {
    access: builders('update'),
    example: inProject(async (scene) => ({ slug: 'main', promotionId: await promotion(scene) })),
    event: 'environment.rolled_back',
  },
};
