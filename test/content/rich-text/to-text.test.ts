import { describe, expect, it } from '@jest/globals';
import { toText } from '../../../src/content/rich-text/to-html.js';
import { doc, node, paragraph, text } from './documents.js';

describe('toText', () => {
  it('separates blocks with a blank line and omits nodes without text', () => {
    expect(
      toText(
        doc(paragraph(text('a'), text('b')), { type: 'horizontalRule' }, paragraph(), paragraph(text('c'))),
      ),
    ).toBe('ab\n\nc');
  });

  it('breaks lines between items, definitions and rows, and at hard breaks', () => {
    const list = node(
      'bulletList',
      node('listItem', paragraph(text('1'))),
      node('listItem', paragraph(text('2')), node('ordered_list', node('list_item', paragraph(text('3'))))),
    );
    const definitions = node(
      'definitionList',
      node('definitionTerm', text('t')),
      node('definitionDescription', paragraph(text('d'))),
    );
    const row = node('tableRow', node('tableCell', paragraph()), node('tableCell', paragraph(text('x'))));
    expect(
      toText(
        doc(
          list,
          definitions,
          node('table', row, row),
          paragraph(text('a'), { type: 'hardBreak' }, text('b')),
        ),
      ),
    ).toBe('1\n2\n3\n\nt\nd\n\n\tx\n\tx\n\na\nb');
  });

  it('returns an empty string for a document without text', () => {
    expect(toText(doc())).toBe('');
    expect(toText(doc(paragraph(), node('bulletList', node('listItem', paragraph()))))).toBe('');
  });
});
