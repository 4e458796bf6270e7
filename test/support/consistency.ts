import { expect } from '@jest/globals';
import { checkEnvironment } from '../../src/cli/rebuild/visit-environment.js';
import { EnvironmentListRepository } from '../../src/features/environments/catalog/index.js';
import { systemScope } from '../../src/persistence/work/unit-of-work.js';
import type { TestApp } from './app.js';
import type { TestProject } from './factories/project.js';

/** Nothing that the default environment derives differs from what it is derived from. */
export async function expectConsistent(app: TestApp, { slug }: TestProject): Promise<void> {
  const { units } = app.composition.services;
  await app.composition.jobs.indexSearch();
  const request = { scope: systemScope({ command: 'test' }), isReadOnly: true, lock: 'none' } as const;
  const heads = await units.run(request, (work) => work.use(EnvironmentListRepository).all());
  const head = heads.find(
    ({ projectSlug, environmentSlug }) => projectSlug === slug && environmentSlug === 'main',
  );
  if (head === undefined) throw new Error(`no environment of ${slug}`);
  const { lines } = await checkEnvironment(units, head);
  expect(lines.filter((line) => line.startsWith('  '))).toEqual([]);
}
