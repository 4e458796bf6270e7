import { describe, expect, it } from '@jest/globals';
import type { RichTextNode } from '../../../contracts/rich-text.js';
import type { FieldDefinition } from '../../../src/content/catalog.js';
import { kindOf } from '../../../src/content/field-kinds/index.js';
import { checkDocument } from '../../../src/content/rich-text/document-tree.js';
import { convertRichText } from '../../../src/content/rich-text/html/html-to-rich-text.js';
import type { RichTextSource } from '../../../src/content/rich-text/rich-text-source.js';
import { toHtml, toText } from '../../../src/content/rich-text/to-html.js';
import { verifies } from '../../support/verifies.js';
import { doc, paragraph, text } from './documents.js';

const entryId = '01a20000-0000-7000-8000-000000000001';
const assetId = '01a20000-0000-7000-8000-000000000002';

const linkTo = (attrs: Record<string, unknown>) => ({ type: 'link', attrs });
const mention: RichTextNode = { type: 'entryMention', attrs: { entryId } };
const entryEmbed: RichTextNode = { type: 'entryEmbed', attrs: { entryId } };

function convert(source: RichTextSource) {
  const converted = convertRichText(source);
  if ('problems' in converted) throw new Error(JSON.stringify(converted.problems));
  expect(checkDocument(converted.doc)).toEqual([]);
  return { doc: converted.doc, warnings: converted.warnings.map(({ message }) => message) };
}

describe('References in rich text', () => {
  verifies('content/rich-text-references');

  const everything = doc(
    paragraph(
      text('See '),
      text('hours', linkTo({ entryId, anchor: 'monday', target: '_top', rel: 'nofollow' })),
      text(' or '),
      mention,
      text(', '),
      text('the file', { type: 'bold' }, linkTo({ assetId })),
    ),
    entryEmbed,
    { type: 'assetEmbed', attrs: { assetId, caption: 'A <crate>', alt: 'Apples "red"', align: 'left' } },
  );

  it('are written as HTML without addresses, which delivery adds', () => {
    expect(toHtml(everything)).toBe(
      `<p>See <a data-entry="${entryId}" data-anchor="monday" target="_top" rel="nofollow">hours</a> or ` +
        `<span data-mention="${entryId}"></span>, <a data-asset="${assetId}"><strong>the file</strong></a></p>` +
        `<figure data-entry="${entryId}"></figure>` +
        `<figure data-asset="${assetId}" data-alt="Apples &quot;red&quot;" data-align="left">` +
        '<figcaption>A &lt;crate&gt;</figcaption></figure>',
    );
  });

  it('are read from that HTML again, without a loss', () => {
    const { doc: read, warnings } = convert({ html: toHtml(everything) });
    expect([toHtml(read), warnings]).toEqual([toHtml(everything), []]);
    expect(read.content?.[0]?.content?.[1]).toEqual({
      type: 'text',
      marks: [linkTo({ entryId, anchor: 'monday', target: '_top', rel: 'nofollow' })],
      text: 'hours',
    });
  });

  it('are read from HTML as it is delivered: the id counts, not the path of today', () => {
    const html =
      `<p><a data-entry="${entryId}" data-anchor="x" href="/old#x">a</a> ` +
      `<a data-mention="${entryId}" href="/old">Title</a></p>` +
      `<figure data-entry="${entryId}"><a href="/old">Title</a></figure>` +
      `<figure data-asset="${assetId}"><img src="/media/x" alt="y"><figcaption>c</figcaption></figure>`;
    expect(convert({ html })).toEqual({
      doc: doc(paragraph(text('a', linkTo({ entryId, anchor: 'x' })), text(' '), mention), entryEmbed, {
        type: 'assetEmbed',
        attrs: { assetId, caption: 'c' },
      }),
      warnings: [],
    });
  });

  it('are kept where a paragraph has nothing else', () => {
    const alone = doc(paragraph(mention), paragraph({ ...mention, marks: [{ type: 'bold' }] }));
    expect(convert({ html: toHtml(alone) }).doc).toEqual(alone);
    expect(convert({ html: `<p><a data-mention="${entryId}" href="/x"></a></p>` }).doc).toEqual(
      doc(paragraph(mention)),
    );
  });

  it('are written in Markdown as addresses', () => {
    const markdown = `[hours](entry:${entryId}#monday) and [file](asset:${assetId})\n\n![Apples](asset:${assetId} "A crate")`;
    expect(convert({ markdown })).toEqual({
      doc: doc(
        paragraph(
          text('hours', linkTo({ entryId, anchor: 'monday' })),
          text(' and '),
          text('file', linkTo({ assetId })),
        ),
        { type: 'assetEmbed', attrs: { assetId, caption: 'A crate', alt: 'Apples' } },
      ),
      warnings: [],
    });
  });

  it.each([
    ['no id', '<a data-entry="x">a</a>'],
    ['an id in a wrong scheme', `<a href="asset:${assetId.toUpperCase()}">a</a>`],
    ['markup in the id', `<a href="entry:${entryId}&quot;><script>">a</a>`],
    ['a mention of nothing', 'a<span data-mention="x">b</span>'],
    ['an embed of nothing', 'a<figure data-entry="javascript:b"></figure>'],
  ])('are dropped where they have %s', (_what, html) => {
    const { doc: read } = convert({ html: `<p>${html}</p>` });
    expect(JSON.stringify(read)).not.toMatch(/Id|script|link/);
    expect(toText(read)).toMatch(/^ab?$/);
  });

  it('keep a mark of an anchor that is not allowed without it', () => {
    const { doc: read } = convert({ html: `<p><a data-entry="${entryId}" data-anchor="a b">a</a></p>` });
    expect(read).toEqual(doc(paragraph(text('a', linkTo({ entryId })))));
  });

  it('embed a picture that an address names with its caption, and leave linked pictures as pictures', () => {
    const html =
      `<p>a</p><figure class="wp-block-image alignright"><a href="/big"><img src="asset:${assetId}" alt="b"></a>` +
      '<figcaption>c</figcaption></figure>';
    expect(convert({ html })).toMatchObject({
      doc: doc(paragraph(text('a')), {
        type: 'assetEmbed',
        attrs: { assetId, caption: 'c', alt: 'b', align: 'right' },
      }),
      warnings: ['The element a was dropped once.'],
    });
  });

  it('give a picture its caption as text, or else its alternative text', () => {
    const embed = (attrs: object) => doc({ type: 'assetEmbed', attrs: { assetId, ...attrs } });
    expect(toText(embed({ caption: 'c', alt: 'a' }))).toBe('c');
    expect(toText(embed({ alt: 'a' }))).toBe('a');
    expect(toText(embed({}))).toBe('');
  });
});

describe('A document tree', () => {
  verifies('content/rich-text-references');

  const codesOf = (value: unknown) => checkDocument(value).map(({ code, path }) => [code, path.join('.')]);

  it('accepts links, mentions and embeds of entries and assets, in both spellings', () => {
    const to = (attrs: object) => text('a', { type: 'link', attrs: { ...attrs } });
    const tree = doc(
      paragraph(
        to({ entryId, anchor: 'hours', rel: 'nofollow', target: '_blank' }),
        to({ assetId, href: null }),
        to({ href: '/a', entryId: null, assetId: null, anchor: null }),
        { type: 'entryMention', attrs: { entryId } },
        { type: 'entry_mention', attrs: { entryId }, marks: [{ type: 'bold' }] },
      ),
      { type: 'entryEmbed', attrs: { entryId } },
      { type: 'entry_embed', attrs: { entryId } },
      { type: 'assetEmbed', attrs: { assetId, caption: 'c', alt: 'a', align: 'full' } },
      { type: 'asset_embed', attrs: { assetId, caption: null, alt: null, align: null } },
    );
    expect(checkDocument(tree)).toEqual([]);
  });

  it.each([
    ['two targets', { href: '/a', entryId }, 'entryId'],
    ['an entry and an asset', { entryId, assetId }, 'assetId'],
    ['nulls only', { href: null, entryId: null }, 'href'],
    ['an id in capitals', { entryId: entryId.toUpperCase() }, 'entryId'],
    ['an id that is none', { assetId: `${assetId}"` }, 'assetId'],
    ['an anchor beside a URL', { href: '/a', anchor: 'b' }, 'anchor'],
    ['an anchor with a space', { entryId, anchor: 'a b' }, 'anchor'],
    ['an anchor with a number sign', { entryId, anchor: '#b' }, 'anchor'],
  ])('rejects a link with %s', (_what, attrs, attribute) => {
    expect(codesOf(doc(paragraph(text('a', { type: 'link', attrs }))))).toEqual([
      ['invalid_attribute', `content.0.content.0.marks.0.attrs.${attribute}`],
    ]);
  });

  it.each([
    ['a mention without an entry', paragraph({ type: 'entryMention' }), 'content.0.content.0.attrs.entryId'],
    [
      'an embed without an entry',
      { type: 'entryEmbed', attrs: { entryId: null } },
      'content.0.attrs.entryId',
    ],
    [
      'an unknown alignment',
      { type: 'assetEmbed', attrs: { assetId, align: 'top' } },
      'content.0.attrs.align',
    ],
    [
      'an alternative text that is too long',
      { type: 'assetEmbed', attrs: { assetId, alt: 'x'.repeat(1001) } },
      'content.0.attrs.alt',
    ],
  ])('rejects %s', (_what, block, path) => {
    expect(codesOf(doc(block))).toEqual([['invalid_attribute', path]]);
  });

  it('rejects mentions and embeds in the wrong place', () => {
    expect(codesOf(doc({ type: 'entryMention', attrs: { entryId } }))).toEqual([['invalid_structure', '']]);
    expect(codesOf(doc(paragraph({ type: 'entryEmbed', attrs: { entryId } })))).toEqual([
      ['invalid_structure', 'content.0'],
    ]);
  });
});

describe('A rich-text field', () => {
  verifies('content/rich-text-references');

  const field = (validations: object) =>
    ({
      apiName: 'body',
      type: 'richText',
      isList: false,
      settings: {},
      validations,
    }) as unknown as FieldDefinition;
  const kind = kindOf({ type: 'richText' });

  it('names entries and assets, and is not a link itself', () => {
    const value = doc(
      paragraph(text('a', linkTo({ entryId })), mention, text('b', linkTo({ assetId }))),
      entryEmbed,
      { type: 'asset_embed', attrs: { assetId } },
    );
    expect([kind.isLink, kind.namesEntries, kind.namesMedia]).toEqual([false, true, true]);
    expect(kind.entryUses(value)).toEqual([
      { id: entryId, as: 'link' },
      { id: entryId, as: 'link' },
      { id: entryId, as: 'embed' },
    ]);
    expect(kind.mediaUses(value)).toEqual([
      { id: assetId, as: 'link' },
      { id: assetId, as: 'embed' },
    ]);
  });

  it('is not empty where it shows an embed or a mention, and is where a link has no text', () => {
    expect(kind.isEmpty(doc(entryEmbed))).toBe(false);
    expect(kind.isEmpty(doc(paragraph(mention)))).toBe(false);
    expect(kind.isEmpty(doc(paragraph(text(' ', linkTo({ entryId })))))).toBe(true);
  });

  it('limits what is embedded and what is linked apart', () => {
    const limited = field({ allowedEmbeds: ['image/*', 'quote'], allowedLinks: ['page', 'application/pdf'] });
    const entry = (contentTypeApiName: string, as: 'embed' | 'link') =>
      kind.checkEntry({ contentTypeApiName }, limited, as).map(({ code }) => code);
    const asset = (mimeType: string, as: 'embed' | 'link') =>
      kind.checkMedia({ mimeType, size: 1, width: null, height: null }, limited, as).map(({ code }) => code);
    expect([entry('quote', 'embed'), entry('page', 'link')]).toEqual([[], []]);
    expect([entry('page', 'embed'), entry('quote', 'link')]).toEqual([
      ['embed_not_allowed'],
      ['link_not_allowed'],
    ]);
    expect([asset('image/png', 'embed'), asset('application/pdf', 'link')]).toEqual([[], []]);
    expect([asset('application/pdf', 'embed'), asset('image/png', 'link')]).toEqual([
      ['embed_not_allowed'],
      ['link_not_allowed'],
    ]);
    expect(kind.checkEntry({ contentTypeApiName: 'any' }, field({}), 'embed')).toEqual([]);
  });
});
