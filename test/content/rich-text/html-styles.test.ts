import { describe, expect, it } from '@jest/globals';
import { checkDocument } from '../../../src/content/rich-text/document-tree.js';
import { convertRichText } from '../../../src/content/rich-text/html/html-to-rich-text.js';
import { toHtml } from '../../../src/content/rich-text/to-html.js';
import { verifies } from '../../support/verifies.js';

function convert(html: string): { readonly html: string; readonly warnings: readonly string[] } {
  const converted = convertRichText({ html });
  if ('problems' in converted) throw new Error(JSON.stringify(converted.problems));
  expect(checkDocument(converted.doc)).toEqual([]);
  return { html: toHtml(converted.doc), warnings: converted.warnings.map(({ message }) => message) };
}

describe('Styles in HTML', () => {
  verifies('content/pasted-html');

  it.each([
    ['weight', '<p><span style="font-weight:700">a</span></p>', '<p><strong>a</strong></p>'],
    ['a weight in capitals', '<P><SPAN STYLE="FONT-WEIGHT: Bold">a</SPAN></P>', '<p><strong>a</strong></p>'],
    ['a semi-bold weight', '<p style="font-weight:600 !important">a</p>', '<p><strong>a</strong></p>'],
    ['slant', '<p><span style="font-style:oblique 10deg">a</span></p>', '<p><em>a</em></p>'],
    ['decoration', '<p style="text-decoration:line-through underline red">a</p>', '<p><u><s>a</s></u></p>'],
    ['a line of decoration', '<p style="text-decoration-line:underline">a</p>', '<p><u>a</u></p>'],
    ['position', '<p>a<span style="vertical-align:super">b</span></p>', '<p>a<sup>b</sup></p>'],
    [
      'a weight for a list item',
      '<ul><li style="font-weight:bold">a</li></ul>',
      '<ul><li><p><strong>a</strong></p></li></ul>',
    ],
    [
      'a weight for several blocks',
      '<b><p>a</p><p>b</p></b>',
      '<p><strong>a</strong></p><p><strong>b</strong></p>',
    ],
  ])('become marks: %s', (_what, html, expected) => {
    expect(convert(html)).toEqual({ html: expected, warnings: [] });
  });

  it.each([
    ['bold', '<b style="font-weight:normal">a</b>'],
    ['strong', '<strong style="font-weight:400">a</strong>'],
    ['italic', '<i style="font-style:normal">a</i>'],
    ['underlined', '<u style="text-decoration:none">a</u>'],
    ['struck', '<s style="text-decoration:none">a</s>'],
    ['raised', '<sup style="vertical-align:baseline">a</sup>'],
  ])('make an element that is %s by itself plain', (_what, html) => {
    expect(convert(`<p>${html}</p>`)).toEqual({ html: '<p>a</p>', warnings: [] });
  });

  it('end a mark of an outer element', () => {
    const html =
      '<p><b>a <span style="font-weight:normal">b <i>c <span style="font-style:normal">d</span></i></span></b></p>';
    expect(convert(html).html).toBe('<p><strong>a </strong>b <em>c </em>d</p>');
  });

  it('of a heading or a header cell do not make its text bold', () => {
    const html =
      '<h2 style="font-weight:bold">a</h2><table><tr><th style="font-weight:700">b</th></tr></table>';
    expect(convert(html).html).toBe('<h2>a</h2><table><tbody><tr><th><p>b</p></th></tr></tbody></table>');
  });

  it('do not underline links, which are underlined anyway', () => {
    const html =
      '<p><a href="/x" style="text-decoration:underline"><span style="text-decoration:underline line-through">a</span></a></p>';
    expect(convert(html).html).toBe('<p><a href="/x"><s>a</s></a></p>');
  });

  it.each([
    ['a color', 'color:red'],
    ['a font beside a weight', 'font-weight:bold;font-family:"a;b"'],
    ['an image', "background:url('data:x;font-weight:bold')"],
  ])('are named in warnings where they are lost: %s', (_what, style) => {
    const { warnings } = convert(`<p><span style='${style.replaceAll("'", '&apos;')}'>a</span></p>`);
    expect(warnings).toEqual(['The attribute style was dropped once.']);
  });

  it('of Word that say nothing to other programs are not named', () => {
    expect(convert("<p style='mso-margin-top-alt:auto;mso-pagination:none'>a</p>").warnings).toEqual([]);
  });

  it('do not make hidden text content', () => {
    const { html, warnings } = convert('<p>a<span style="display:none">secret</span></p><p hidden>b</p>');
    expect(html).toBe('<p>a</p>');
    expect(warnings).toEqual([
      'The element span (hidden) was dropped once.',
      'The element p (hidden) was dropped once.',
    ]);
  });
});

describe('Blocks in HTML', () => {
  verifies('content/pasted-html');

  it.each([
    ['a role', '<div role="heading" aria-level="3">a</div>', '<h3>a</h3>'],
    ['a class of Word', '<p class="MsoHeading8">a</p>', '<h6>a</h6>'],
    ['an outline level', "<p class=MsoNormal style='mso-outline-level:2'>a</p>", '<h2>a</h2>'],
    ['the title of an exported document', '<p class="c1 title"><span>a</span></p>', '<h1>a</h1>'],
  ])('become headings by %s', (_what, html, expected) => {
    expect(convert(html).html).toBe(expected);
  });

  it.each([
    [
      'that lost the properties of Word',
      '<p class="MsoListParagraph">·&nbsp;&nbsp; <b>a</b></p><p class="MsoListParagraph" style="margin-left:1.0in">o&nbsp;&nbsp; b</p><p class="MsoListParagraph">·&nbsp; c</p>',
      '<ul><li><p><strong>a</strong></p><ul><li><p>b</p></li></ul></li><li><p>c</p></li></ul>',
    ],
    [
      'with roman numbers and a paragraph more',
      '<p class="MsoListParagraph">iv.&nbsp; a</p><p class="MsoListParagraph">more</p><p class="MsoListParagraph">v.&nbsp; b</p>',
      '<ol start="4"><li><p>a</p><p>more</p></li><li><p>b</p></li></ol>',
    ],
    [
      'of two lists',
      "<p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>1.</span>a</p><p style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.</span>b</p>",
      '<ol><li><p>a</p></li></ol><ol><li><p>b</p></li></ol>',
    ],
    [
      'with text between them',
      "<p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>a</p><p>b</p><p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>c</p>",
      '<ul><li><p>a</p></li></ul><p>b</p><ul><li><p>c</p></li></ul>',
    ],
  ])('become lists: paragraphs of Word %s', (_what, html, expected) => {
    expect(convert(html).html).toBe(expected);
  });

  it('stay paragraphs where only their class is that of a list', () => {
    expect(convert('<p class="MsoListParagraph">No. 5 is late</p>').html).toBe('<p>No. 5 is late</p>');
  });

  it('of a table keep valid spans and give the caption its own paragraph', () => {
    const html =
      '<table><caption>Sizes</caption><TR><TD COLSPAN=2>a<td rowspan="0">b<tr><td>c<td colspan=99999>d</table>';
    expect(convert(html).html).toBe(
      '<p>Sizes</p><table><tbody><tr><td colspan="2"><p>a</p></td><td><p>b</p></td></tr><tr><td><p>c</p></td><td><p>d</p></td></tr></tbody></table>',
    );
  });

  it('lose line breaks that only part them, within inline elements too', () => {
    expect(convert('<p>a</p><span><br></span><p>b<br>c</p><b><p>d</p></b><br>').html).toBe(
      '<p>a</p><p>b<br>c</p><p><strong>d</strong></p>',
    );
  });
});

it('Links of an exported document lead to their target', () => {
  const href =
    'https://www.google.com/url?q=https://a.example/%3Fb%3D1%26c&amp;sa=D&amp;source=editors&amp;ust=1';
  expect(convert(`<p><a href="${href}">a</a></p>`).html).toBe(
    '<p><a href="https://a.example/?b=1&amp;c">a</a></p>',
  );
});
