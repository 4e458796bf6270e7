import { beforeAll } from '@jest/globals';
import type { Locator } from 'playwright-core';
import type { Desk } from './admin-desk.js';
import { useEditorScene } from './editor-desk.js';
import { createEntry, createType, type TestEntry } from './factories/content.js';
import { editorial, state, step } from '../management/workflows/definitions.js';

/** A block as management returns it. */
export interface Block {
  readonly _ref: string;
  readonly _type: string;
  readonly fields: Record<string, unknown>;
}

/** Blocks of a list. */
export const blocksIn = (values: Record<string, unknown>, name = 'parts') => values[name] as Block[];

/** An item of a list of blocks, by its name for screen readers. */
export const item = ({ page }: Desk, name: string): Locator => page.getByRole('group', { name, exact: true });

/** The field of a quote. */
export const wordsOf = (part: Locator): Locator => part.getByRole('textbox', { name: /^Words/ });

export async function addBlock({ page, button }: Desk, list: string, type: string): Promise<void> {
  await button(`Add to ${list}`).click();
  await page.getByRole('dialog').getByRole('button', { name: type, exact: true }).click();
}

export async function unfold({ button }: Desk, ...names: string[]): Promise<void> {
  for (const name of names) await button(`Edit: ${name}`).click();
}

/** Shows another locale of the entry, whose values are read first. */
export async function showLocale({ page }: Desk, locale: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Locale', exact: true }).selectOption(locale);
  await page.waitForURL(new RegExp(`locale=${locale}`));
}

type BlockScene = ReturnType<ReturnType<typeof useEditorScene>> & {
  /** An entry of type `page`, with `title` and `parts`. */
  page(fields: Record<string, unknown>): Promise<TestEntry>;
};

/** The scene of editors, with pages that consist of quotes and of groups of quotes, in all locales the same. */
export function useBlockScene(): () => BlockScene {
  const scene = useEditorScene();
  beforeAll(async () => {
    const { app, project } = scene();
    const blocks = (apiName: string, contentTypes: string[]) => ({
      apiName,
      name: apiName === 'parts' ? 'Parts' : 'Items',
      type: 'blocks',
      localized: false,
      settings: { contentTypes },
    });
    await createType(app, project, {
      apiName: 'quote',
      name: 'Quote',
      isBlock: true,
      fields: [
        { apiName: 'words', name: 'Words', type: 'text', required: true },
        { apiName: 'speaker', name: 'Speaker', type: 'text', localized: false },
      ],
    });
    await createType(app, project, {
      apiName: 'group',
      name: 'Group',
      isBlock: true,
      displayField: 'heading',
      fields: [{ apiName: 'heading', name: 'Heading', type: 'text' }, blocks('items', ['quote'])],
    });
    await createType(app, project, {
      apiName: 'page',
      name: 'Page',
      displayField: 'title',
      fields: [{ apiName: 'title', name: 'Title', type: 'text' }, blocks('parts', ['quote', 'group'])],
    });
  });
  return () => ({
    ...scene(),
    page: (fields) => createEntry(scene().app, scene().project, { contentTypeApiName: 'page', fields }),
  });
}

/** A quote that a request writes. */
export const quote = (words: string) => ({ _type: 'quote', fields: { words } });

/** The workflow of pages: only what was approved can be published. */
export const pageReview = editorial({
  contentTypes: ['page'],
  enforcement: 'strict',
  states: [
    state('draft', { name: 'Draft', isInitial: true }),
    state('review', { name: 'In review' }),
    state('approved', { name: 'Approved', allowsPublish: true }),
  ],
  transitions: [
    step('draft', 'review', { name: 'Ask for a review' }),
    step('review', 'approved', { name: 'Approve' }),
    step('review', 'draft', { name: 'Request changes', requireComment: true }),
  ],
});
