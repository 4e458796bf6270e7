export interface Value {
  readonly raw: object;
  readonly html?: string;
  readonly links?: object;
}

const text = (value: string, ...marks: object[]) => ({
  type: 'text',
  text: value,
  ...(marks.length > 0 && { marks }),
});
const mark = (type: string, attrs?: object) => ({ type, ...(attrs && { attrs }) });
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });

/** Every node and mark, with values that end attributes and elements where they are not escaped. */
export function everything({ entry, draft, asset }: { entry: string; draft: string; asset: string }): object {
  const odd = `"><script>alert('1')</script>&amp;`;
  const cell = (type: string, attrs?: object) => ({
    type,
    ...(attrs && { attrs }),
    content: [paragraph(text(odd))],
  });
  return {
    type: 'doc',
    content: [
      { type: 'heading', attrs: { level: 2 }, content: [text(odd)] },
      paragraph(
        text('a', mark('strong')),
        text(
          'b',
          mark('bold'),
          mark('em'),
          mark('link', { href: '/x?a=1&b="2"', title: odd, target: '_blank', rel: 'nofollow' }),
        ),
        text('c', mark('link', { href: '/x?a=1&b="2"', title: odd, target: '_blank', rel: 'nofollow' })),
        { type: 'hard_break' },
        text('d', mark('code'), mark('superscript'), mark('strike'), mark('underline')),
        text('e', mark('link', { entryId: entry, anchor: 'a"b' }), mark('bold')),
        { type: 'entryMention', attrs: { entryId: entry } },
        text('f', mark('link', { entryId: draft }), mark('italic')),
        { type: 'entryMention', attrs: { entryId: draft } },
        text('g', mark('link', { assetId: asset }), mark('subscript')),
      ),
      { type: 'blockquote', content: [paragraph(text('q'))] },
      { type: 'bullet_list', content: [{ type: 'list_item', content: [paragraph(text('1'))] }] },
      { type: 'orderedList', attrs: { start: 3 }, content: [{ type: 'listItem', content: [paragraph()] }] },
      { type: 'orderedList', attrs: { order: 1 }, content: [{ type: 'listItem', content: [paragraph()] }] },
      { type: 'codeBlock', attrs: { language: `a"b` }, content: [text('\n<b>\n  c')] },
      { type: 'horizontalRule' },
      { type: 'assetEmbed', attrs: { assetId: asset, caption: odd, alt: odd, align: 'left' } },
      { type: 'assetEmbed', attrs: { assetId: asset, caption: null } },
      { type: 'entryEmbed', attrs: { entryId: entry } },
      { type: 'entryEmbed', attrs: { entryId: draft } },
      {
        type: 'definitionList',
        content: [
          { type: 'definitionTerm', content: [text('t')] },
          { type: 'definitionDescription', content: [paragraph(text('d'))] },
        ],
      },
      {
        type: 'table',
        content: [
          {
            type: 'tableRow',
            content: [
              cell('tableHeader', { colspan: 2 }),
              cell('tableCell', { rowspan: 3, colspan: 1 }),
              cell('table_cell'),
            ],
          },
        ],
      },
    ],
  };
}

/** Documents that the service would refuse. */
export function hostileDocuments(): Value[] {
  const link = (attrs: unknown) => paragraph(text('x', { type: 'link', attrs }));
  const urls = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'javascript&colon;alert(1)',
    'data:text/html,x',
    ' javascript:alert(1)',
    'vbscript:x',
  ];
  const id = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
  const odd = {
    level: '1 onclick=alert(1)',
    start: '1" onclick="alert(1)',
    colspan: '2 onclick=alert(1)',
    language: '" onclick="alert(1)',
    align: '" onclick="x',
    onclick: 'alert(1)',
    style: 'x',
    dangerouslySetInnerHTML: { __html: '<script>1</script>' },
  };
  const nodes = [
    'heading',
    'orderedList',
    'tableCell',
    'codeBlock',
    'script',
    'iframe',
    '__proto__',
    'constructor',
    'paragraph',
    'toString',
  ];
  const deep = (levels: number): object =>
    JSON.parse(`${'{"type":"blockquote","content":['.repeat(levels)}${']}'.repeat(levels)}`) as object;
  return [
    ...urls.map((href) => ({
      raw: { type: 'doc', content: [link({ href }), link({ href, target: '"><script>' })] },
    })),
    ...urls.map((_path) => ({
      raw: {
        type: 'doc',
        content: [
          link({ entryId: id }),
          { type: 'entryMention', attrs: { entryId: id } },
          { type: 'entryEmbed', attrs: { entryId: id } },
          { type: 'assetEmbed', attrs: { assetId: id } },
        ],
      },
      links: { [id]: { _type: 'page', _slug: 'x', _path, title: '<script>alert(1)</script>' } },
    })),
    {
      raw: {
        type: 'doc',
        content: nodes.map((type) => ({
          type,
          attrs: odd,
          content: [text('<img src=x onerror=alert(1)>', mark(type, odd))],
        })),
      },
    },
    {
      raw: { type: 'doc', content: [{ type: 'assetEmbed', attrs: { assetId: id } }] },
      html: `<figure data-asset="${id}"><img src="javascript:alert(1)" onerror="alert(1)"></figure>`,
      links: {},
    },
    {
      raw: { type: 'doc', content: [{ type: 'assetEmbed', attrs: { assetId: id } }] },
      html: `<figure data-asset="${id}"><img src="/x" onerror="alert(1)"></figure>`,
      links: {},
    },
    { raw: { type: 'doc', content: 'none' } },
    {
      raw: {
        type: 'doc',
        content: [
          null,
          7,
          { type: 3 },
          { type: 'text', text: 7 },
          { type: 'paragraph', marks: [null, { type: 4 }], content: {} },
        ],
      },
    },
    { raw: { type: 'doc', content: [deep(1500)] } },
  ];
}
