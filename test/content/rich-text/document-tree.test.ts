import { describe, expect, it } from '@jest/globals';
import { parseHTML } from 'linkedom';
import { DOMParser } from 'prosemirror-model';
import type { RichTextNode } from '../../../contracts/rich-text.js';
import { checkDocument, richTextSchema } from '../../../src/content/rich-text/document-tree.js';
import { doc, link, node, paragraph, text } from './documents.js';

const codesOf = (value: unknown) => checkDocument(value).map(({ code, path }) => [code, path.join('.')]);

describe('checkDocument', () => {
  it('accepts every node and mark in both spellings', () => {
    const cell = { type: 'table_cell', attrs: { colspan: 2, rowspan: 1 }, content: [paragraph()] };
    const document = doc(
      { type: 'heading', attrs: { level: 6 }, content: [text('h', { type: 'strong' }, { type: 'em' })] },
      paragraph(
        text('a', { type: 'bold' }, { type: 'italic' }, { type: 'underline' }),
        { type: 'hard_break' },
        { type: 'hardBreak' },
      ),
      paragraph(
        text('b', { type: 'superscript' }, { type: 'code' }, { type: 'strike' }),
        text('c', { type: 'subscript' }, link('/x')),
      ),
      node('blockquote', paragraph()),
      node('bulletList', node('listItem', paragraph(), node('bullet_list', node('list_item', paragraph())))),
      { type: 'ordered_list', attrs: { order: 3 }, content: [node('list_item', paragraph())] },
      { type: 'orderedList', attrs: { start: null }, content: [node('listItem', paragraph())] },
      { type: 'codeBlock', attrs: { language: 'js' }, content: [text('x')] },
      node('code_block'),
      { type: 'horizontalRule' },
      { type: 'horizontal_rule' },
      node('definitionList', node('definitionTerm', text('t')), node('definitionDescription', paragraph())),
      node('table', node('tableRow', node('tableHeader', paragraph()), cell)),
    );
    expect(checkDocument(document)).toEqual([]);
  });

  it('accepts a document without content', () => {
    expect(checkDocument({ type: 'doc' })).toEqual([]);
    expect(checkDocument(doc())).toEqual([]);
  });

  it.each([null, 'text', [], {}, { type: 'paragraph' }, 1])('rejects %j as a document', (value) => {
    expect(codesOf(value)).toEqual([['invalid_document', '']]);
  });

  it.each<[string, unknown, [string, string]]>([
    ['an unknown node', doc({ type: 'script' }), ['unknown_node', 'content.0.type']],
    [
      'a node named like an inherited property',
      doc({ type: 'constructor' }),
      ['unknown_node', 'content.0.type'],
    ],
    [
      'an unknown mark',
      doc(paragraph(text('a', { type: 'blink' }))),
      ['unknown_mark', 'content.0.content.0.marks.0.type'],
    ],
    ['an unknown key', { ...doc(), version: 1 }, ['unknown_key', 'version']],
    ['a text on another node', doc({ type: 'paragraph', text: 'x' }), ['unknown_key', 'content.0.text']],
    ['an empty text', doc(paragraph(text(''))), ['invalid_type', 'content.0.content.0.text']],
    [
      'content that is no array',
      doc({ type: 'paragraph', content: 'x' } as unknown as RichTextNode),
      ['invalid_type', 'content.0.content'],
    ],
    ['a node that is no object', doc('x' as unknown as RichTextNode), ['invalid_type', 'content.0']],
    [
      'an unknown attribute',
      doc({ type: 'paragraph', attrs: { onclick: 'x' } }),
      ['unknown_attribute', 'content.0.attrs.onclick'],
    ],
    [
      'a heading of level 7',
      doc({ type: 'heading', attrs: { level: 7 } }),
      ['invalid_attribute', 'content.0.attrs.level'],
    ],
    [
      'a heading whose level is a text',
      doc({ type: 'heading', attrs: { level: '1' } }),
      ['invalid_attribute', 'content.0.attrs.level'],
    ],
    [
      'a link without an address',
      doc(paragraph(text('a', { type: 'link' }))),
      ['invalid_attribute', 'content.0.content.0.marks.0.attrs.href'],
    ],
    [
      'a mark set twice',
      doc(paragraph(text('a', link('/a'), link('/b')))),
      ['repeated_mark', 'content.0.content.0.marks.1'],
    ],
    ['a text outside a block', doc(text('a')), ['invalid_structure', '']],
    ['a list without items', doc(node('bulletList')), ['invalid_structure', 'content.0']],
    ['a block in a paragraph', doc(paragraph(), paragraph(paragraph())), ['invalid_structure', 'content.1']],
    [
      'a mark in a code block',
      doc(node('codeBlock', text('a', { type: 'bold' }))),
      ['invalid_structure', 'content.0'],
    ],
    ['a mark on a block', doc({ type: 'paragraph', marks: [{ type: 'bold' }] }), ['invalid_structure', '']],
    ['a document inside a document', doc(doc()), ['invalid_structure', '']],
    ['content in a rule', doc(node('horizontalRule', text('a'))), ['invalid_structure', 'content.0']],
  ])('rejects %s with its path', (_name, value, issue) => {
    expect(codesOf(value)).toEqual([issue]);
  });

  it.each([
    'http://a.b',
    'HTTPS://a.b/c?d=e&f=g#h',
    'mailto:a@b.c',
    'tel:+123',
    '/a/b:c',
    '#top',
    '?q=a&b',
    'page',
    'a/b:c&d',
    '../x',
    '//a.b/c',
    '',
    'größe',
  ])('accepts a link to %j', (href) => {
    expect(checkDocument(doc(paragraph(text('a', link(href)))))).toEqual([]);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript\u0000:alert(1)',
    'javascript&colon;alert(1)',
    'java&#x73;cript:alert(1)',
    '&#106;avascript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:x',
    'javaſcript:alert(1)',
    'view-source:javascript:x',
    '\u00a0javascript:x',
  ])('rejects a link to %j', (href) => {
    expect(codesOf(doc(paragraph(text('a', link(href)))))).toEqual([
      ['invalid_attribute', 'content.0.content.0.marks.0.attrs.href'],
    ]);
  });

  it('ignores null attributes that other editors write', () => {
    const tree = doc(
      {
        type: 'orderedList',
        attrs: { start: 1, type: null },
        content: [
          {
            type: 'listItem',
            attrs: { dir: null },
            content: [
              {
                type: 'paragraph',
                attrs: { textAlign: null },
                content: [text('a', { type: 'link', attrs: { href: '/a', class: null, rel: null } })],
              },
            ],
          },
        ],
      },
      {
        type: 'table',
        content: [
          {
            type: 'tableRow',
            content: [
              {
                type: 'tableCell',
                attrs: { colspan: 1, rowspan: 1, colwidth: null },
                content: [paragraph()],
              },
            ],
          },
        ],
      },
    );
    expect(checkDocument(tree)).toEqual([]);
    expect(codesOf(doc({ type: 'paragraph', attrs: { textAlign: 'left' } }))).toEqual([
      ['unknown_attribute', 'content.0.attrs.textAlign'],
    ]);
  });

  it('limits the depth of documents and the number of problems', () => {
    let deep: RichTextNode = paragraph();
    for (let level = 0; level < 5000; level += 1) deep = node('blockquote', deep);
    expect(codesOf(doc(deep)).map(([code]) => code)).toEqual(['too_deep']);
    expect(checkDocument(doc(...Array.from({ length: 500 }, () => ({ type: 'x', y: 1 }))))).toHaveLength(20);
  });

  it('accepts documents of 100 levels of JSON', () => {
    let deep: RichTextNode = paragraph();
    for (let level = 0; level < 48; level += 1) deep = node('blockquote', deep);
    expect(checkDocument(doc(deep))).toEqual([]);
  });
});

describe('richTextSchema', () => {
  const imported = (html: string) => {
    const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`);
    const parsed = DOMParser.fromSchema(richTextSchema).parse(document.body);
    return JSON.parse(JSON.stringify(parsed.toJSON())) as RichTextNode;
  };

  it('imports HTML as valid documents in the canonical spelling', () => {
    const document = imported(
      '<h2>T</h2><p>a <b>b</b><sup>2</sup></p><ul><li>x</li></ul><ol start="3"><li>y</li></ol><dl><dt>t</dt><dd>d</dd></dl>' +
        '<pre><code class="language-js">1\n 2</code></pre><hr><table><tr><th colspan="2">h</th></tr><tr><td>1</td></tr></table>',
    );
    expect(checkDocument(document)).toEqual([]);
    expect(document.content?.map(({ type }) => type)).toEqual([
      'heading',
      'paragraph',
      'bulletList',
      'orderedList',
      'definitionList',
      'codeBlock',
      'horizontalRule',
      'table',
    ]);
    expect(document.content?.[3]?.attrs).toMatchObject({ start: 3 });
    expect(document.content?.[5]).toEqual({
      type: 'codeBlock',
      attrs: { language: 'js' },
      content: [text('1\n 2')],
    });
  });

  it('drops a link to a forbidden URL but keeps its text', () => {
    expect(imported('<p><a href="javascript:alert(1)">a</a></p>')).toEqual(doc(paragraph(text('a'))));
  });
});
