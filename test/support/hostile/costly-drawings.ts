const open = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">';

export const drawing = (content: string): Buffer => Buffer.from(`${open}${content}</svg>`);

/** Each group uses the one before twice. */
const doubling = (attribute: (id: string) => string): string =>
  '<g id="a0"><rect width="1" height="1"/></g>' +
  Array.from({ length: 30 }, (_, level) => {
    const use = attribute(`a${String(level)}`);
    return `<g id="a${String(level + 1)}">${use}${use}</g>`;
  }).join('') +
  attribute('a30');

const attributes = Array.from({ length: 300_000 }, (_, index) => `a${String(index)}=""`).join(' ');

/** Drawings that take time or memory beyond their size, and what they have too much of. */
export const costlyDrawings: Readonly<Record<string, readonly [content: string, aspect: string]>> = {
  'groups in groups': ['<g>'.repeat(50_000) + '</g>'.repeat(50_000), 'depth'],
  'definitions in definitions': ['<defs>'.repeat(500_000), 'depth'],
  'a flat list of shapes': ['<rect x="1" y="1"/>'.repeat(200_000), 'elements'],
  'an element with very many attributes': [`<rect ${attributes}/>`, 'attributes'],
  'groups that double': [doubling((id) => `<use href="#${id}"/>`), 'references'],
  'groups that double through patterns': [
    doubling((id) => `<rect width="1" height="1" fill="url(#${id})"/>`),
    'references',
  ],
  'groups that double through style attributes': [
    doubling((id) => `<rect width="1" height="1" style="fill:url(#${id})"/>`),
    'references',
  ],
  'a group that uses itself': ['<g id="a"><use href="#a"/></g>', 'references'],
  'a style sheet of very many rules': [`<style>${'a{}'.repeat(1_000_000)}</style>`, 'styleRules'],
  'a style sheet of nested braces': [`<style>${'a{'.repeat(100_000)}</style>`, 'styleRules'],
};

/** Parts that once took time in the square of their length; each is accepted. */
export const longDrawings: Readonly<Record<string, string>> = {
  'a long path': `<path d="${'M0 0'.repeat(500_000)}"/>`,
  'a value of open parentheses': `<path d="${'url('.repeat(500_000)}"/>`,
  'a value of spaces': `<rect fill="url(${' '.repeat(2_000_000)}"/>`,
  'a value of letters': `<rect fill="${'a'.repeat(2_000_000)}"/>`,
  'very many entities': `<text>${'&amp;'.repeat(200_000)}</text>`,
  'very many ends': '</g>'.repeat(200_000),
  'comments that do not end': '<!--'.repeat(500_000),
  'a style sheet of parentheses': `<style>a{fill:${'('.repeat(200_000)}}</style>`,
};
