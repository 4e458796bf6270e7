import { invalidInput } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import { extensionsOf, isRelated, type FileType } from './file-types.js';

/** Separators of paths, signs that a disk may refuse, control characters, and characters that reverse or hide others. */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffd<>:"|?*\\/]/gu;

/** Names that some systems reserve for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

const EXTENSION = /\.([A-Za-z0-9]{1,10})$/;

/** In lower case, without the dot. */
export const extensionOf = (name: string): string | undefined => EXTENSION.exec(name)?.[1]?.toLowerCase();

/** The last segment of a path. */
const lastSegment = (name: string): string => name.split(/[\\/]/).at(-1) ?? '';

const plain = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(UNSAFE, '')
    .replace(/\s+/g, ' ')
    .replace(/^[.\s]+|[.\s]+$/g, '');

function cut(text: string, length: number): string {
  const points = [...text];
  while (points.join('').length > length) points.pop();
  return points.join('');
}

/** A name for a header and a disk: no path, nothing invisible, not too long, with the extension of the type. */
export function safeFileName(given: string, type: FileType): string {
  const name = plain(lastSegment(given));
  const extension = extensionOf(name);
  const known = extensionsOf(type);
  const isRight = extension !== undefined && (known as readonly string[]).includes(extension);
  const stem = isRight ? name.slice(0, -extension.length - 1) : withoutOtherType(name, type);
  const suffix = `.${isRight ? extension : known[0]}`;
  const safe = stem === '' || DEVICE.test(stem) ? `file${stem === '' ? '' : `-${stem}`}` : stem;
  return `${cut(safe, limits.mediaFileNameLength - suffix.length).trimEnd()}${suffix}`;
}

/** `photo.png` with the content of a JPEG becomes `photo`. */
function withoutOtherType(name: string, type: FileType): string {
  const extension = extensionOf(name);
  if (extension === undefined) return name;
  return isRelated(extension, type) ? name.slice(0, -extension.length - 1) : name;
}

/**
 * A name that a person gives a stored file: what an upload would lose from it is refused. The extension of the file
 * stays, for it goes with its type.
 * @throws AppError 422 `validation_failed`
 */
export function renamedFile({ fileName }: { readonly fileName: string }, name: string): string {
  if (name === fileName) return name;
  const suffix = /\.[^.]+$/.exec(fileName)?.[0] ?? '';
  const isKept = name.toLowerCase().endsWith(suffix.toLowerCase());
  const renamed = (isKept ? name : `${name}${suffix}`).normalize('NFC');
  const refuse = (message: string) =>
    invalidInput({ path: ['fileName'], code: 'invalid_file_name', message });
  if (renamed.length > limits.mediaFileNameLength) throw refuse('The name is too long.');
  const stem = renamed.slice(0, renamed.length - suffix.length);
  if (stem === '' || DEVICE.test(stem)) throw refuse('The name is empty, or reserved for a device.');
  if (plain(renamed) !== renamed || plain(stem) !== stem)
    throw refuse(
      'The name must not contain / \\ < > : " | ? * or invisible characters, nor start or end with a dot or a space.',
    );
  return renamed;
}
