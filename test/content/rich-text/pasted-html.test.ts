import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { checkDocument } from '../../../src/content/rich-text/document-tree.js';
import { convertRichText } from '../../../src/content/rich-text/html/html-to-rich-text.js';
import { toHtml } from '../../../src/content/rich-text/to-html.js';
import { verifies } from '../../support/verifies.js';

const folder = new URL('../../fixtures/rich-text/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8').trim();

/** The document of HTML, as HTML, and what was dropped on the way. */
function convert(html: string) {
  const converted = convertRichText({ html });
  if ('problems' in converted) throw new Error(JSON.stringify(converted.problems));
  expect(checkDocument(converted.doc)).toEqual([]);
  const dropped = converted.warnings.map(({ message }) => message.replace(/ was dropped .*/, ''));
  return { html: toHtml(converted.doc), dropped };
}

/** Line breaks between elements are for readers of the fixture. */
const oneLine = (html: string): string => html.replace(/>\n</g, '><');

/** Elements that each source has and a document has not. */
const losses: Readonly<Record<string, readonly string[]>> = {
  confluence: [],
  'confluence-storage': ['ac:structured-macro toc', 'ac:link', 'ac:image', 'ri:attachment'],
  'google-docs': [],
  notion: ['mark'],
  tiptap: ['mark'],
  word: ['img', 'span (hidden)'],
  'word-web': [],
  wordpress: ['img'],
};

describe('HTML of an editor', () => {
  verifies('content/pasted-html');

  const sources = readdirSync(folder).flatMap((file) => /^([\w-]+)\.html$/.exec(file)?.[1] ?? []);

  it('has a fixture for each source', () => {
    expect(sources.sort()).toEqual(Object.keys(losses).sort());
  });

  it.each(sources)('of %s becomes the document that a reader sees', (source) => {
    expect(convert(read(`${source}.html`)).html).toBe(oneLine(read(`${source}.expected.html`)));
  });

  it.each(sources)('of %s loses only what warnings name', (source) => {
    const { dropped } = convert(read(`${source}.html`));
    const elements = dropped.flatMap((what) => /^The element (.*)$/.exec(what)?.[1] ?? []);
    expect(elements.filter((tag) => !['style', 'xml'].includes(tag)).sort()).toEqual(
      [...(losses[source] ?? [])].sort(),
    );
  });
});
