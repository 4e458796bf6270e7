import { ComplexFile } from '../complex-file.js';
import { svgLimits } from './svg-limits.js';

const [LESS, GREATER, SLASH, EQUALS, QUOTE, APOSTROPHE] = [0x3c, 0x3e, 0x2f, 0x3d, 0x22, 0x27];

const nonMarkup = [
  { start: '<!--', end: '-->' },
  { start: '<![CDATA[', end: ']]>' },
  { start: '<?', end: '?>' },
  { start: '<!', end: '>' },
];

function assertAtMost(aspect: 'elements' | 'depth' | 'attributes', count: number): void {
  if (count > svgLimits[aspect]) throw new ComplexFile(aspect, svgLimits[aspect]);
}

/** Position after `text`, or the end. */
function after(bytes: Buffer, text: string, position: number): number {
  const found = bytes.indexOf(text, position, 'latin1');
  return found === -1 ? bytes.length : found + text.length;
}

const startsAt = (bytes: Buffer, position: number, text: string): boolean =>
  bytes.toString('latin1', position, position + text.length) === text;

/** Of the start tag at `position`. */
function readTag(bytes: Buffer, position: number): { readonly end: number; readonly isEmpty: boolean } {
  let attributes = 0;
  let at = position + 1;
  while (at < bytes.length && bytes[at] !== GREATER) {
    const byte = bytes[at];
    if (byte === EQUALS) assertAtMost('attributes', (attributes += 1));
    at = byte === QUOTE || byte === APOSTROPHE ? after(bytes, String.fromCharCode(byte), at + 1) : at + 1;
  }
  return { end: at + 1, isEmpty: bytes[at - 1] === SLASH };
}

/**
 * Counts elements, depth and attributes in one pass, before anything is built of them.
 * @throws ComplexFile
 */
export function assertExtent(bytes: Buffer): void {
  let [elements, depth] = [0, 0];
  let at = bytes.indexOf(LESS);
  while (at !== -1 && at < bytes.length) {
    const other = nonMarkup.find(({ start }) => startsAt(bytes, at, start));
    if (other !== undefined) at = after(bytes, other.end, at + other.start.length);
    else if (bytes[at + 1] === SLASH) {
      depth -= 1;
      at = after(bytes, '>', at);
    } else {
      assertAtMost('elements', (elements += 1));
      const { end, isEmpty } = readTag(bytes, at);
      if (!isEmpty) assertAtMost('depth', (depth += 1));
      at = end;
    }
    at = bytes.indexOf(LESS, at);
  }
}
