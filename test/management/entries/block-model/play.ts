import type { TestApp } from '../../../support/app.js';
import { expectConsistent } from '../../../support/consistency.js';
import { Desk } from '../../../support/desk.js';
import { createType } from '../../../support/factories/content.js';
import { createProject } from '../../../support/factories/project.js';
import { fc } from '../../../support/properties.js';
import { Comparison } from './compare.js';
import { Editor } from './editor.js';
import { sequence, type Operation } from './operations.js';

async function open(app: TestApp): Promise<Desk> {
  const desk = new Desk(app, await createProject(app, { locales: ['en', 'de'] }));
  const settings = { contentTypes: ['piece'] };
  const fields = [
    { apiName: 'text', type: 'text' },
    { apiName: 'tone', type: 'text', localized: false },
  ];
  const lists = [
    { apiName: 'inner', type: 'blocks', localized: false },
    { apiName: 'asides', type: 'blocks', localized: true },
  ];
  await createType(app, desk.project, { apiName: 'piece', isBlock: true, fields: [...fields, ...lists] });
  const held = lists.map((list) => ({ ...list, settings }));
  await createType(app, desk.project, { apiName: 'page', fields: [...fields, ...held] });
  return desk;
}

/** Performs the operations on a page, and compares all entries with the model after each. */
async function play(app: TestApp, operations: readonly Operation[]): Promise<void> {
  const desk = await open(app);
  const editor = new Editor(desk);
  await editor.create();
  const comparison = new Comparison(desk, editor.model);
  for (const operation of operations) {
    await editor.apply(operation);
    await comparison.check();
  }
  await expectConsistent(app, desk.project);
}

/** Compares the service with the model after each operation of random sequences. A failure prints seed and sequence. */
export async function compareSequences(app: TestApp, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(sequence, (operations) => play(app, operations));
  await fc.assert(property, { numRuns, endOnFailure: true });
}
