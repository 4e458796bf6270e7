import { limits } from '../../../contracts/limits.js';
import { checkExactText } from '../../content/exact-json/exact-json.js';

export interface PathFault {
  readonly code: string;
  readonly message: string;
}

const invalid = (message: string): PathFault => ({ code: 'invalid_path', message });

/** Characters with a special meaning in a URL. */
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
    return invalid('A path must not contain "%", "\\", "?", "#" or control characters.');
  if (/\s$/u.test(path)) return invalid('A path must not end with a space.');
  const segments = path.split('/').slice(1);
  // Clients resolve "//host" to another host and ".." to another path.
  if (path !== '/' && segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    return invalid('A path must not contain empty or dot segments.');
  if (Buffer.byteLength(path) > limits.redirectPathBytes)
    return {
      code: 'too_long',
      message: `A path has at most ${limits.redirectPathBytes} bytes.`,
    };
  return undefined;
}

/** Percent-decoded, NFC, no trailing slash; case is kept (decisions 2.12). */
export function canonicalPath(text: string): string | PathFault {
  if (!text.startsWith('/')) return invalid('A path must start with "/".');
  if (/[?#]/.test(text)) return invalid('A path must not have a query or fragment.');
  const plain = decode(text)?.normalize('NFC');
  if (plain === undefined) return invalid('The percent-encoding must be UTF-8.');
  const path = plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
  return faultOf(path) ?? path;
}

export function isCanonicalPath(text: string): boolean {
  const isBare = text === '/' || (text.startsWith('/') && !text.endsWith('/'));
  return isBare && faultOf(text) === undefined && text === text.normalize('NFC');
}

export function pathAndAncestors(path: string): string[] {
  const paths = [path];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
    paths.push(path.slice(0, at));
  if (path !== '/') paths.push('/');
  return paths;
}
