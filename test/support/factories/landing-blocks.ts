import type { Desk } from '../desk.js';
import { must } from '../call.js';
import { createType, type TestEntry } from './content.js';

/** A block of an entry, as management returns it. */
export interface TestBlock {
  readonly _ref: string;
  readonly _type: string;
  readonly fields: Record<string, unknown>;
}

/**
 * Creates `card` (localized `heading`, shared `tone`, `author`, `cards`) and `landing`, whose list `sections` is
 * shared and whose list `notes` is localized.
 */
export async function createLandingTypes({ app, project }: Desk): Promise<void> {
  const cards = { type: 'blocks', settings: { contentTypes: ['card'] } };
  await createType(app, project, {
    apiName: 'card',
    isBlock: true,
    fields: [{ apiName: 'heading', type: 'text' }],
  });
  const path = `${project.management}/content-types/card/fields`;
  for (const body of [
    { apiName: 'tone', type: 'text', localized: false },
    { apiName: 'author', type: 'reference', localized: false, settings: { contentTypes: ['author'] } },
    { apiName: 'cards', localized: false, ...cards },
  ])
    await must(app, { method: 'POST', path, key: project.keys.management, body: { name: 'Field', ...body } });
  await createType(app, project, {
    apiName: 'landing',
    displayField: 'title',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'sections', localized: false, ...cards },
      { apiName: 'notes', localized: true, ...cards },
    ],
  });
}

export const landing = ({ app, project }: Desk, fields: object, rest: object = {}): Promise<TestEntry> =>
  must(app, {
    method: 'POST',
    path: `${project.management}/entries`,
    key: project.keys.management,
    body: { contentTypeApiName: 'landing', siteId: project.siteId, fields, ...rest },
  });

/** A new block. */
export const card = (heading: string, fields: object = {}) => ({
  _type: 'card',
  fields: { heading, ...fields },
});

/** The items of a blocks field. */
export const blocksIn = ({ fields }: { fields: Record<string, unknown> }, name = 'sections'): TestBlock[] =>
  fields[name] as TestBlock[];

export const idsIn = (entry: { fields: Record<string, unknown> }, name?: string): string[] =>
  blocksIn(entry, name).map(({ _ref }) => _ref);
