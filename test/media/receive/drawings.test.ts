import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startsLikeSvg } from '../../../src/infrastructure/files/sanitize-svg.js';
import { verifies } from '../../support/verifies.js';
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
  'a processing instruction': '<?xml-stylesheet href="https://evil.example/x.css"?>',
};

describe('Received drawings', () => {
  verifies('dec-3.3-receive');

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
      /script|alert|evil|import|onload|onmouseover|foreignObject|animate|<set|<image|data:|style|<\?|<!/i,
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
