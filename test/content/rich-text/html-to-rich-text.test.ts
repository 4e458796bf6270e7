import { describe, expect, test } from '@jest/globals';
import { htmlToRichText } from '../../../src/content/rich-text/html/html-to-rich-text.js';
import { HtmlTally } from '../../../src/content/rich-text/html/html-tally.js';
import { checkDocument } from '../../../src/content/rich-text/document-tree.js';
import { toHtml, toText } from '../../../src/content/rich-text/to-html.js';

/** The HTML delivered after the conversion; fails when the document is invalid. */
function roundTrip(html: string, tally?: HtmlTally): string {
  const document = htmlToRichText(html, tally);
  expect(checkDocument(document)).toEqual([]);
  return toHtml(document);
}

describe('HTML structure in the import', () => {
  test.each([
    ['paragraphs', '<p>a</p><p>b</p>'],
    ['headings', '<h2>a</h2><h4>b</h4>'],
    ['lists in lists', '<ul><li><p>a</p><ul><li><p>b</p></li></ul></li></ul>'],
    ['numbered lists with their start', '<ol start="3"><li><p>a</p></li></ol>'],
    ['definition lists', '<dl><dt>a</dt><dd><p>b</p></dd></dl>'],
    ['quotations', '<blockquote><p>a</p></blockquote>'],
    ['rules and line breaks', '<p>a<br>b</p><hr><p>c</p>'],
    [
      'tables with spans',
      '<table><tbody><tr><th colspan="2"><p>a</p></th></tr><tr><td><p>b</p></td><td><p>c</p></td></tr></tbody></table>',
    ],
    ['marks within marks', '<p><strong>a<em>b</em></strong><sup>1</sup><sub>2</sub><s>c</s><u>d</u></p>'],
    ['links with marks', '<p><a href="#x" title="X"><code>a</code></a></p>'],
  ])('keeps %s', (_name, html) => {
    expect(roundTrip(html)).toBe(html);
  });

  test('wraps loose text in paragraphs', () => {
    expect(roundTrip('a<ul><li>b</li></ul>c')).toBe('<p>a</p><ul><li><p>b</p></li></ul><p>c</p>');
    expect(roundTrip('<dl><dt>a</dt><dd>b</dd></dl>')).toBe('<dl><dt>a</dt><dd><p>b</p></dd></dl>');
  });

  test('unwraps elements without meaning', () => {
    const html =
      '<div class="section"><div><h4 class="title">a</h4></div><p><span class="strong"><strong>b</strong></span> c</p></div>';
    expect(roundTrip(html)).toBe('<h4>a</h4><p><strong>b</strong> c</p>');
  });

  test('returns an empty document for empty HTML', () => {
    expect(htmlToRichText('')).toEqual({ type: 'doc' });
    expect(htmlToRichText(' \n <div></div>')).toEqual({ type: 'doc' });
  });

  test('drops elements that only add space', () => {
    expect(roundTrip('<p>a</p><p> </p><div><br/><hr/><p>b</p></div>')).toBe('<p>a</p><hr><p>b</p>');
    expect(roundTrip('<p>a<pre>b</pre></p>')).toBe('<p>a</p><pre><code>b</code></pre>');
    expect(roundTrip('<p>&nbsp;</p>')).toBe('<p>\u00a0</p>');
  });

  test('drops scripts and styles with their content, and images', () => {
    expect(roundTrip('<p>a<img src="x"></p><script>b</script><style>c</style>')).toBe('<p>a</p>');
  });
});

describe('HTML white space in the import', () => {
  test('collapses as in HTML', () => {
    expect(roundTrip('<p>\n a\n <em>b </em> c\t\nd \n</p>\n<p>e</p>\n')).toBe(
      '<p>a <em>b </em>c d</p><p>e</p>',
    );
    expect(roundTrip('<p>a&nbsp; b</p>')).toBe('<p>a\u00a0 b</p>');
  });

  test('is kept in code blocks except for the first line break', () => {
    expect(toText(htmlToRichText('<pre>\n\n  a\n    b &lt; c\n</pre>'))).toBe('\n  a\n    b < c\n');
  });
});

describe('HTML links in the import', () => {
  test('keep URL, title and target', () => {
    const link = '<a href="https://a.example/?b=1&amp;c=2" title="T" target="_top">a</a>';
    expect(roundTrip(`<p>${link}</p>`)).toBe(`<p>${link}</p>`);
  });

  test('lose white space that HTML ignores around and inside a URL', () => {
    expect(roundTrip('<p><a href=" https://a.exa\nmple ">a</a></p>')).toBe(
      '<p><a href="https://a.example">a</a></p>',
    );
  });

  test('lose a URL that rich text rejects and keep their text', () => {
    const tally = new HtmlTally();
    expect(roundTrip('<p><a href="javascript:x">a</a> <a href="FTP://b">b</a></p>', tally)).toBe(
      '<p>a b</p>',
    );
    expect(tally.refusedLinks).toEqual(
      new Map([
        ['javascript', 1],
        ['ftp', 1],
      ]),
    );
  });

  test('are distinguished from anchors, which are dropped and counted', () => {
    const tally = new HtmlTally();
    expect(roundTrip('<p><a id="x"></a>a <a href="#y">b</a></p>', tally)).toBe('<p>a <a href="#y">b</a></p>');
    expect(tally.fragments).toEqual(new Map([['y', 1]]));
    expect(tally.droppedTags).toEqual(new Map([['a', 1]]));
    expect(tally.droppedAttributes).toEqual(new Map([['id', 1]]));
  });
});

test('the import counts converted and dropped tags and attributes', () => {
  const tally = new HtmlTally();
  roundTrip(
    '<div class="x"><ol start="2" type="a"><li><p>a <em class="y">b</em></p></li></ol><pre class="z"><em>c</em></pre></div>',
    tally,
  );
  expect(tally.convertedTags).toEqual(
    new Map([
      ['ol', 1],
      ['li', 1],
      ['p', 1],
      ['em', 1],
      ['pre', 1],
    ]),
  );
  expect(tally.droppedTags).toEqual(
    new Map([
      ['div', 1],
      ['em', 1],
    ]),
  );
  expect(tally.droppedAttributes).toEqual(
    new Map([
      ['class', 3],
      ['type', 1],
    ]),
  );
});

test('the import keeps the language of a code block', () => {
  const tally = new HtmlTally();
  const { content } = htmlToRichText('<pre><code class="language-sh">a</code></pre>', tally);
  expect(content?.[0]?.attrs).toEqual({ language: 'sh' });
  expect(tally.droppedAttributes.size).toBe(0);
});
