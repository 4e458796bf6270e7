import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startsLikeSvg } from '../../../src/infrastructure/files/detect-type.js';
import { sanitizeSvg } from '../../../src/infrastructure/files/svg/sanitize-svg.js';
import { costlyDrawings, drawing, longDrawings } from '../../support/hostile/costly-drawings.js';
import { verifies } from '../../support/verifies.js';
import { picture } from './pictures.js';
import { openReceiver, type Receiver } from './receiver.js';

const svg = (content: string, attributes = ''): Buffer =>
  Buffer.from(
    `<?xml version="1.0"?><!-- made by hand --><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="20" viewBox="0 0 40 20" ${attributes}><rect width="40" height="20" fill="red"/>${content}</svg>`,
  );

const attacks: Readonly<Record<string, string>> = {
  'a script': '<script>alert(1)</script>',
  'a script in CDATA': '<script><![CDATA[alert(1)]]></script>',
  'an event handler': '<rect onload="alert(1)" width="1" height="1"/>',
  'a javascript link': '<a xlink:href="javascript:alert(1)"><text>x</text></a>',
  'a style import': '<style>@import url("https://evil.example/x.css");</style>',
  'a style attribute': '<rect style="fill:url(https://evil.example/x)" width="1" height="1"/>',
  'an external image': '<image href="https://evil.example/x.png" width="1" height="1"/>',
  'an external use': '<use href="https://evil.example/x.svg#a"/>',
  'a data use': '<use xlink:href="data:image/svg+xml;base64,PHN2Zz4="/>',
  'foreign content': '<foreignObject><iframe src="https://evil.example"></iframe></foreignObject>',
  'an animation of a link': '<a><animate attributeName="href" values="javascript:alert(1)"/></a>',
  'a set of a handler': '<rect width="1" height="1"><set attributeName="onmouseover" to="alert(1)"/></rect>',
  'an external fill': '<rect fill="url( https://evil.example/x#a )" width="1" height="1"/>',
  'an escaped external fill': '<rect fill="u\\72l(https://evil.example/x)" width="1" height="1"/>',
  'an external filter': '<rect filter="url(//evil.example/f.svg#f)" width="1" height="1"/>',
  'an escaped style': '<rect style="fill:\\75rl(https://evil.example/x)" width="1" height="1"/>',
  'an escaped rule': '<style>rect{fill:\\75rl(https://evil.example/x)}</style>',
  'an expression': '<rect style="width:expression(alert(1))" width="1" height="1"/>',
  'a font from elsewhere': '<style>@font-face{font-family:a;src:url(https://evil.example/f)}</style>',
  'an image set': '<rect style="fill:image-set(\'https://evil.example/x\' 1x)" width="1" height="1"/>',
  'a selector that reads attributes': '<style>[id^="evil"]{fill:red}</style>',
  'a style that ends its element': '<style>a{}&lt;/style>&lt;script>alert(1)&lt;/script></style>',
  'a value that ends its rule': '<style>rect{fill:red;fill:"}@import evil;"}</style>',
  'a link animated to a script':
    '<a href="#"><animate attributeName="href" to="javascript:alert(1)"/><set attributeName="href" to="javascript:alert(1)"/></a>',
  'a reference with a line break': '<use href="java&#10;script:alert(1)"/>',
  'an image that is a drawing': '<image href="data:image/svg+xml;base64,PHN2Zz4="/>',
  'an image that is no picture': '<image href="data:image/png;base64,ZXZpbA=="/>',
  'a handler of the root': '</svg><svg onload="alert(1)">',
  'another namespace':
    '<g xmlns="http://evil.example/"><x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script></g>',
  'a processing instruction': '<?xml-stylesheet href="https://evil.example/x.css"?>',
};

describe('Received drawings', () => {
  verifies('media/received-files', 'media/received-drawings');

  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await openReceiver();
  });

  afterAll(() => receiver.close());

  it.each(Object.entries(attacks))('stores a drawing without %s', async (_name, content) => {
    const file = await receiver.receive(svg(content), {
      fileName: 'logo.svg',
      declaredType: 'image/svg+xml',
    });
    const stored = (await receiver.storedBytes(file)).toString();
    expect(stored).not.toMatch(
      /script|alert|evil|import|onload|onmouseover|foreignObject|animate|<set|href="(?!#)|data:|url\((?!#)|\\|<\?|<!/i,
    );
    expect(stored).toContain('<rect width="40" height="20" fill="red"');
    expect(file).toMatchObject({ mimeType: 'image/svg+xml', width: 40, height: 20, fileName: 'logo.svg' });
  });

  it('keeps gradients, clips and references within the drawing', async () => {
    const content =
      '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient><clipPath id="c"><circle r="5"/></clipPath></defs>' +
      '<rect id="r" width="9" height="9" fill="url(#g)" clip-path="url(#c)"/><use xlink:href="#r"/>';
    const stored = (await receiver.storedBytes(await receiver.receive(svg(content)))).toString();
    for (const part of [
      'linearGradient id="g"',
      'stop-color="#fff"',
      'fill="url(#g)"',
      'clip-path="url(#c)"',
      'href="#r"',
      'viewBox',
    ])
      expect(stored).toContain(part);
  });

  it('keeps checked styles, and what makes the drawing accessible', async () => {
    const content =
      '<title>Lock &amp; quay</title><desc>A lock</desc><style type="text/css">/* by an editor */.a{fill:#e30613}' +
      '@media (prefers-color-scheme: dark){.a, g > .b{fill:url(#g)!important}}</style>' +
      '<rect class="a" style="fill:#e30613;stroke-width:2px;-inkscape-stroke:none" role="img" aria-label="Red"/>';
    const file = await receiver.receive(svg(content));
    const stored = (await receiver.storedBytes(file)).toString();
    for (const part of [
      '<title>Lock &amp; quay</title><desc>A lock</desc>',
      '.a{fill:#e30613}@media (prefers-color-scheme: dark){.a, g &gt; .b{fill:url(#g)!important}}',
      'style="fill:#e30613;stroke-width:2px" role="img" aria-label="Red"',
    ])
      expect(stored).toContain(part);
    expect(file.warnings).toEqual([]);
  });

  it('draws the colours of a style sheet', async () => {
    const plain = await receiver.receive(svg('<style>rect{fill:#0000ff!important}</style>'));
    expect(plain.dominantColor).toMatch(/^#0[0-9a-f]0[0-9a-f][ef][0-9a-f]$/);
  });

  it('keeps embedded pictures without their metadata', async () => {
    const photo = await picture(30, 20)
      .withExif({ IFD0: { Artist: 'A secret person' } })
      .jpeg()
      .toBuffer();
    const content = `<image width="9" height="9" href="data:image/jpg;base64,${photo.toString('base64')}"/>`;
    const file = await receiver.receive(svg(content));
    const stored = (await receiver.storedBytes(file)).toString();
    const [, kept = ''] = /href="data:image\/jpeg;base64,([^"]+)"/.exec(stored) ?? [];
    expect(photo.includes('A secret person')).toBe(true);
    expect(Buffer.from(kept, 'base64').includes('A secret person')).toBe(false);
    expect(file.warnings).toEqual([]);
  });

  it('names what it removes', async () => {
    const content =
      '<script>alert(1)</script><script>alert(2)</script><rect onclick="alert(3)" style="behavior:url(x)"/><use href="https://evil.example/#a"/>';
    expect((await receiver.receive(svg(content))).warnings).toEqual([
      {
        code: 'svg_changed',
        message:
          'Removed from the drawing: element script (2), attribute onclick, style behavior, reference href.',
        path: ['file'],
      },
    ]);
  });

  it.each(Object.entries(costlyDrawings))('refuses %s', async (_name, [content, aspect]) => {
    expect(await receiver.refusal(drawing(content))).toMatchObject({
      code: 'file_too_complex',
      details: { aspect },
    });
  });

  it.each(Object.entries(longDrawings))('reads %s', async (_name, content) => {
    const file = path.join(tmpdir(), `headwater-${randomUUID()}.svg`);
    await writeFile(file, drawing(content));
    try {
      expect((await sanitizeSvg(file)).bytes.length).toBeGreaterThan(0);
    } finally {
      await rm(file);
    }
  });

  it('accepts a drawing at its limits', async () => {
    const content = '<g>'.repeat(98) + '<rect/>'.repeat(19_900) + '</g>'.repeat(98);
    expect(await receiver.receive(drawing(content))).toMatchObject({ width: 40, height: 20 });
  });

  it('refuses embedded pictures of too many pixels', async () => {
    const bomb = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: 'red' } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    const content = `<image href="data:image/png;base64,${bomb.toString('base64')}"/>`;
    const stored = await receiver.receive(drawing(content)).catch((error: unknown) => error);
    expect(stored).toMatchObject({ code: 'file_too_complex', details: { aspect: 'pixels' } });
  });

  it('refuses a drawing of enormous size and one that does not parse', async () => {
    const huge = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="20000" height="20000"></svg>');
    expect(await receiver.refusal(huge)).toMatchObject({ code: 'file_damaged' });
    expect(await receiver.refusal(Buffer.from('<svg'.padEnd(10)))).toMatchObject({ status: 422 });
  });

  it('recognises a drawing behind any number of comments in linear time', () => {
    expect(startsLikeSvg(`${'<!-- a -->'.repeat(50)} <svg>`)).toBe(true);
    expect(startsLikeSvg(`<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "x" "y">\n<svg xmlns="">`)).toBe(true);
    expect(startsLikeSvg('<!---->'.repeat(600))).toBe(false);
    expect(startsLikeSvg('<!--<svg>--><html>')).toBe(false);
  });
});
