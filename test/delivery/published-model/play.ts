import type { TestApp } from '../../support/app.js';
import { Desk } from '../../support/desk.js';
import { expectConsistent } from '../../support/consistency.js';
import { branch } from '../../support/factories/branch.js';
import { createProject } from '../../support/factories/project.js';
import { fc } from '../../support/properties.js';
import { expectMirrored, SiteMirror } from '../../support/site-mirror.js';
import { Comparison } from './compare.js';
import { expectOk } from './answers.js';
import { Editor } from './editor.js';
import { copyOf } from './model.js';
import { sequence, type Branch, type Operation } from './operations.js';

/** Makes the changes in a branch and promotes it; rolled back, it leaves nothing. */
async function promote(desk: Desk, main: Editor, { changes, isRolledBack }: Branch): Promise<void> {
  const before = main.model;
  const slug = await branch(desk);
  const editor = new Editor(desk.in(slug), copyOf(before));
  for (const change of changes) await editor.apply(change);
  await editor.publishAll();
  const promoted = await desk.post(`/environments/${slug}/promote`, { mode: 'full', publish: true });
  expectOk(promoted);
  main.forgetApply();
  main.model = editor.model;
  if (!isRolledBack) return;
  await new Comparison(desk, main.model).check();
  const { promotionId } = (promoted.body as { data: { promotionId: string } }).data;
  expectOk(await desk.post('/environments/main/rollback', { promotionId }));
  main.model = before;
}

/** Performs the operations in a project of their own, and reads everything by every surface after each. */
async function play(app: TestApp, operations: readonly Operation[]): Promise<void> {
  const locales = ['en', { code: 'de', fallbackCode: 'en' }];
  const desk = new Desk(app, await createProject(app, { locales }));
  const editor = new Editor(desk, { types: [], entries: [] });
  const mirror = new SiteMirror(app, desk.project, { limit: 3 });
  await editor.fill();
  await new Comparison(desk, editor.model).check();
  for (const operation of operations) {
    if (operation.verb === 'branch') await promote(desk, editor, operation);
    else await editor.apply(operation);
    await new Comparison(desk, editor.model).check();
    await expectMirrored(app, desk.project, mirror);
  }
  await expectConsistent(app, desk.project);
}

/** Compares the service with the model after each operation of random sequences. A failure prints seed and sequence. */
export async function compareSequences(app: TestApp, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(sequence, (operations) => play(app, operations));
  await fc.assert(property, { numRuns, endOnFailure: true });
}

/** Nested selections cost more than a project allows by default. */
export const modelLimits = { maxQueryDepth: 10, maxComplexity: 1_000_000, maxReferenceDepth: 3 };
