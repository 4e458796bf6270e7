export const LOCALES =
  'en de fr it es pt nl sv da fi nb pl cs sk hu ro bg el et lv lt sl hr ga mt is mk sq sr uk'.split(' ');

export const SMALL = 60_000;
/** Almost the most that a value may have. */
export const LARGE = 256_000;

let seed = 1;

/** Repeats itself in every run. */
function next(below: number): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % below;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const word = (): string => Array.from({ length: 2 + next(8) }, () => letters[next(letters.length)]).join('');

/** A paragraph as an editor writes it: text with a bold part, about 500 bytes. */
function paragraph(): object {
  const words = (count: number): string => Array.from({ length: count }, word).join(' ');
  const bold = { type: 'text', text: words(4), marks: [{ type: 'bold' }] };
  const content = [{ type: 'text', text: words(25) }, bold, { type: 'text', text: words(25) }];
  return { type: 'paragraph', content };
}

/** A rich text whose JSON has about so many bytes. */
export function richText(bytes: number): object {
  const content: object[] = [];
  for (let size = 0; size < bytes - 600;) {
    const added = paragraph();
    content.push(added);
    size += JSON.stringify(added).length + 1;
  }
  return { type: 'doc', content };
}
