import { must } from '../call.js';
import type { Desk } from '../desk.js';
import { createType, type TestEntry } from './content.js';

/**
 * Creates `leaflet`: a title, `sections` that all locales share, and `notes`, each locale's own. A section has a
 * localized title, text and picture, a tone for all locales, an author, and cards.
 */
export async function createLeafletTypes({ app, project }: Desk): Promise<void> {
  const heading = { apiName: 'heading', type: 'text' };
  await createType(app, project, { apiName: 'cardlet', isBlock: true, fields: [heading] });
  const cards = { apiName: 'cards', type: 'blocks', localized: false };
  const section = [
    { apiName: 'title', type: 'text' },
    { apiName: 'text', type: 'richText' },
    { apiName: 'picture', type: 'media' },
    { apiName: 'tone', type: 'text', localized: false },
    { apiName: 'author', type: 'reference', settings: { contentTypes: ['author'] } },
    { ...cards, settings: { contentTypes: ['cardlet'] } },
  ];
  await createType(app, project, { apiName: 'section', isBlock: true, fields: section });
  const lists = [
    { apiName: 'sections', type: 'blocks', localized: false, settings: { contentTypes: ['section'] } },
    { apiName: 'notes', type: 'blocks', localized: true, settings: { contentTypes: ['section'] } },
  ];
  const fields = [{ apiName: 'title', type: 'text' }, ...lists];
  await createType(app, project, { apiName: 'leaflet', displayField: 'title', fields });
}

export const leaflet = (
  { app, project }: Desk,
  fields: object,
  rest: { locale?: string; slug?: string } = {},
): Promise<TestEntry> =>
  must(app, {
    method: 'POST',
    path: `${project.management}/entries`,
    key: project.keys.management,
    body: { contentTypeApiName: 'leaflet', siteId: project.siteId, fields, ...rest },
  });

export const section = (fields: object) => ({ _type: 'section', fields });
export const cardlet = (heading: string) => ({ _type: 'cardlet', fields: { heading } });

interface TestBlock {
  readonly _ref: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Blocks in a field of an entry or of a block. */
export const blocksIn = ({ fields }: { readonly fields: object }, name: string): TestBlock[] =>
  (fields as Record<string, TestBlock[]>)[name] ?? [];

/** The id of the only block in a field. */
export const blockId = (holder: { readonly fields: object }, name = 'sections'): string =>
  blocksIn(holder, name)[0]?._ref ?? '';
