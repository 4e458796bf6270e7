import { invalidInput } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';

/** Slashes, control characters, and characters that change the direction of text. */
const UNSAFE = /[/\\\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const extensionOf = (name: string): string => /\.[^.]+$/.exec(name)?.[0] ?? '';

/**
 * A new name with the extension of the file, which goes with its type.
 * @throws AppError 422 `validation_failed`
 */
export function renamedFile({ fileName }: { readonly fileName: string }, name: string): string {
  const path = ['fileName'];
  if (UNSAFE.test(name))
    throw invalidInput({
      path,
      code: 'invalid_file_name',
      message: 'The name must not contain slashes or invisible characters.',
    });
  const extension = extensionOf(fileName);
  const isKept = extensionOf(name).toLowerCase() === extension.toLowerCase();
  const renamed = (isKept ? name : `${name}${extension}`).normalize('NFC');
  if (renamed.startsWith('.') || renamed.length > limits.mediaFileNameLength)
    throw invalidInput({ path, code: 'invalid_file_name', message: 'The name is empty or too long.' });
  return renamed;
}
