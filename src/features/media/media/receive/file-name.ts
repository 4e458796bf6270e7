import { extensionsOf, isRelated, type FileType } from './file-types.js';

const LONGEST_NAME = 200;

/** Separators of paths, control characters, and characters that reverse or hide what follows. */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb<>:"|?*\\/]/gu;

/** Names that some systems reserve for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

const EXTENSION = /\.([A-Za-z0-9]{1,10})$/;

/** In lower case, without the dot. */
export const extensionOf = (name: string): string | undefined => EXTENSION.exec(name)?.[1]?.toLowerCase();

/** The last segment of a path. */
const lastSegment = (name: string): string => name.split(/[\\/]/).at(-1) ?? '';

function cut(text: string, length: number): string {
  const points = [...text];
  while (points.join('').length > length) points.pop();
  return points.join('');
}

/** A name for a header and a disk: no path, nothing invisible, at most 200 characters, with the type's extension. */
export function safeFileName(given: string, type: FileType): string {
  const plain = lastSegment(given.toWellFormed().normalize('NFC'))
    .replace(UNSAFE, '')
    .replace(/\uFFFD/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const extension = extensionOf(plain);
  const known = extensionsOf(type);
  const isRight = extension !== undefined && (known as readonly string[]).includes(extension);
  const stem = isRight ? plain.slice(0, -extension.length - 1) : withoutOtherType(plain, type);
  const suffix = `.${isRight ? extension : known[0]}`;
  const safe = stem === '' || DEVICE.test(stem) ? `file${stem === '' ? '' : `-${stem}`}` : stem;
  return `${cut(safe, LONGEST_NAME - suffix.length).trimEnd()}${suffix}`;
}

/** `photo.png` with the content of a JPEG becomes `photo`. */
function withoutOtherType(name: string, type: FileType): string {
  const extension = extensionOf(name);
  if (extension === undefined) return name;
  return isRelated(extension, type) ? name.slice(0, -extension.length - 1) : name;
}
