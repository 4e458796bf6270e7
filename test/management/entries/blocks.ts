import { must } from '../../support/call.js';
import type { Desk } from '../../support/desk.js';
import { createType, type TestEntry } from '../../support/factories/content.js';

/** Creates `page` with blocks of the types `section` (with cards) and `card`. */
export async function createBlockTypes({ app, project }: Desk): Promise<void> {
  const card = [
    { apiName: 'heading', type: 'text', required: true },
    { apiName: 'text', type: 'richText' },
    { apiName: 'tone', type: 'text', localized: false, defaultValue: 'calm' },
    { apiName: 'author', type: 'reference', settings: { contentTypes: ['author'] } },
    { apiName: 'handle', type: 'slug' },
  ];
  await createType(app, project, { apiName: 'card', isBlock: true, displayField: 'heading', fields: card });
  const cards = { apiName: 'cards', type: 'blocks', settings: { contentTypes: ['card', 'section'] } };
  const title = { apiName: 'title', type: 'text' };
  await createType(app, project, {
    apiName: 'section',
    isBlock: true,
    fields: [title, { ...cards, settings: {} }],
  });
  const body = { apiName: 'body', type: 'blocks', settings: { contentTypes: ['section', 'card'] } };
  await createType(app, project, { apiName: 'page', fields: [title, body] });
}

export const page = ({ app, project }: Desk, fields: object): Promise<TestEntry> =>
  must(app, {
    method: 'POST',
    path: `${project.management}/entries`,
    key: project.keys.management,
    body: { contentTypeApiName: 'page', siteId: project.siteId, fields },
  });

export interface Block {
  readonly _ref: string;
  readonly _type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export const blocksOf = ({ fields }: Pick<TestEntry, 'fields'>, name = 'body'): Block[] =>
  fields[name] as Block[];

/** Ids of the items of a blocks field. */
export const linked = ({ fields }: Pick<TestEntry, 'fields'>, name = 'body'): string[] =>
  (fields[name] as { _ref: string }[]).map(({ _ref }) => _ref);

export const card = (heading: string, fields: object = {}) => ({
  _type: 'card',
  fields: { heading, ...fields },
});
