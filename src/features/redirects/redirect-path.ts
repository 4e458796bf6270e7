import { limits } from '../../../contracts/limits.js';
import { checkExactText } from '../../content/exact-json/exact-json.js';

/** What is wrong with a text that should be a path. */
export interface PathFault {
  readonly code: 'invalid_path' | 'too_long';
  readonly message: string;
}

const invalid = (message: string): PathFault => ({ code: 'invalid_path', message });

/** Characters that would make another URL of the path, once it is put into one. */
const foreignCharacter = /[?#%\\\p{Cc}]/u;

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function faultOf(path: string): PathFault | undefined {
  if (foreignCharacter.test(path) || !checkExactText(path))
    return invalid('A path holds no "%", "\\", "?", "#" or control characters.');
  if (/\s$/u.test(path)) return invalid('A path does not end with a space.');
  const segments = path.split('/').slice(1);
  // "//host" leads to another host, and "..", resolved by the client, to another path.
  if (path !== '/' && segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    return invalid('A path has no empty segments and none that are dots.');
  if (Buffer.byteLength(path) > limits.redirectPathBytes)
    return {
      code: 'too_long',
      message: `A path has at most ${limits.redirectPathBytes} bytes.`,
    };
  return undefined;
}

/**
 * The one form in which paths are compared (decisions 2.12): percent-decoded, NFC, without a trailing
 * slash. Case is kept.
 */
export function canonicalPath(text: string): string | PathFault {
  if (!text.startsWith('/')) return invalid('A path starts with "/".');
  if (/[?#]/.test(text)) return invalid('A path has no query and no fragment.');
  const plain = decode(text)?.normalize('NFC');
  if (plain === undefined) return invalid('The percent-encoding is not UTF-8.');
  const path = plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
  return faultOf(path) ?? path;
}

/** Whether a text is a path in its canonical form. */
export function isCanonicalPath(text: string): boolean {
  const isBare = text === '/' || (text.startsWith('/') && !text.endsWith('/'));
  return isBare && faultOf(text) === undefined && text === text.normalize('NFC');
}

/** The path itself and the paths it lies under, the longest first: `/a/b`, `/a`, `/`. */
export function pathAndAncestors(path: string): string[] {
  const paths = [path];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    paths.push(path.slice(0, at));
  if (path !== '/') paths.push('/');
  return paths;
}
