import { describe, expect, it } from '@jest/globals';
import { parseHTML } from 'linkedom';
import { checkDocument } from '../../../src/content/rich-text/document-tree.js';
import { toHtml } from '../../../src/content/rich-text/to-html.js';
import { doc, link, node, paragraph, text } from './documents.js';
import { fc } from '../../support/properties.js';

const bold = { type: 'bold' };

describe('toHtml', () => {
  it('renders each block as its element', () => {
    const document = doc(
      { type: 'heading', attrs: { level: 2 }, content: [text('h')] },
      node('blockquote', paragraph(text('q'))),
      node('bullet_list', node('list_item', paragraph(text('i')))),
      { type: 'orderedList', attrs: { start: 4 }, content: [node('listItem', paragraph(text('i')))] },
      { type: 'ordered_list', attrs: { order: 1 }, content: [node('list_item', paragraph())] },
      { type: 'codeBlock', attrs: { language: 'c"' }, content: [text('<x>')] },
      { type: 'horizontalRule' },
      node(
        'definitionList',
        node('definitionTerm', text('t')),
        node('definitionDescription', paragraph(text('d'))),
      ),
      node(
        'table',
        node('tableRow', {
          type: 'tableCell',
          attrs: { colspan: 2, rowspan: 1 },
          content: [paragraph(text('c'))],
        }),
      ),
    );
    expect(toHtml(document)).toBe(
      '<h2>h</h2><blockquote><p>q</p></blockquote><ul><li><p>i</p></li></ul><ol start="4"><li><p>i</p></li></ol><ol><li><p></p></li></ol>' +
        '<pre><code class="language-c&quot;">&lt;x&gt;</code></pre><hr><dl><dt>t</dt><dd><p>d</p></dd></dl>' +
        '<table><tbody><tr><td colspan="2"><p>c</p></td></tr></tbody></table>',
    );
  });

  it('renders one link around siblings that share it, in any order of marks', () => {
    const document = doc(
      paragraph(
        text('a '),
        text('b ', link('/x')),
        text('c', bold, link('/x')),
        { type: 'hardBreak' },
        text('d', bold),
      ),
    );
    expect(toHtml(document)).toBe('<p>a <a href="/x">b <strong>c</strong></a><br><strong>d</strong></p>');
  });

  it('adds noopener and noreferrer to links that open a new window', () => {
    expect(
      toHtml(
        doc(paragraph(text('a', link('/x', { target: '_blank', rel: 'nofollow noopener', title: '"' })))),
      ),
    ).toBe('<p><a href="/x" title="&quot;" target="_blank" rel="nofollow noopener noreferrer">a</a></p>');
  });

  it('escapes all text', () => {
    const anyMark = fc.constantFrom({ type: 'em' }, { type: 'code' }, bold);
    const anyText = fc.tuple(
      fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('<script>', '</p>', '&lt;', '"><b>')),
      fc.uniqueArray(anyMark, { selector: ({ type }) => type }),
    );
    fc.assert(
      fc.property(fc.array(anyText), (parts) => {
        const document = doc(paragraph(...parts.map(([value, marks]) => text(value, ...marks))));
        expect(checkDocument(document)).toEqual([]);
        const html = toHtml(document);
        expect(html.replace(/<\/?(?:p|strong|em|code)>/g, '')).not.toMatch(/[<>"']/);
        expect(parseHTML(`<html><body>${html}</body></html>`).document.body.textContent).toBe(
          parts.map(([value]) => value).join(''),
        );
      }),
    );
  });

  it('escapes all attributes', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ maxLength: 50 }), (path, title) => {
        const href = `/${path}`;
        const document = doc(paragraph(text('a', link(href, { title }))));
        fc.pre(checkDocument(document).length === 0);
        expect(toHtml(document)).toMatch(/^<p><a href="[^"<>]*" title="[^"<>]*">a<\/a><\/p>$/);
      }),
    );
  });
});
