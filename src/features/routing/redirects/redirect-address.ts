import { limits } from '../../../../contracts/limits.js';
import { checkExactText } from '../../../content/exact-json/exact-json.js';

/** What redirects compare: a canonical path, and the parameters of the query as `name=value`, encoded and sorted. */
export interface Address {
  readonly path: string;
  readonly parameters: readonly string[];
}

const encodeParameter = ([name, value]: readonly [string, string]): string =>
  `${encodeURIComponent(name.normalize('NFC'))}=${encodeURIComponent(value.normalize('NFC'))}`;

/** The parameters of a query in NFC, sorted, each once: `?b=1&a` and `?a=&b=1` are equal. */
export function parametersOf(query: string): string[] {
  const pairs = new URLSearchParams(query);
  return [...new Set([...pairs].map(encodeParameter))].sort();
}

export function formatAddress({ path, parameters }: Address): string {
  return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`;
}

interface TargetParts {
  readonly path: string;
  /** With `?`, or empty. */
  readonly query: string;
  /** With `#`, or empty. */
  readonly fragment: string;
}

/** Parts of a canonical path target, or of a canonical source. */
export function splitTarget(target: string): TargetParts {
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/su.exec(target) ?? [];
  return { path, query, fragment };
}

/** @param text canonical path with optional query and fragment */
export function parseAddress(text: string): Address {
  const { path, query } = splitTarget(text);
  return { path, parameters: parametersOf(query) };
}

/** Parameters by which a request is looked up; sources have no more. */
export const lookupParameters = ({ parameters }: Address): readonly string[] =>
  parameters.slice(0, limits.requestParameters);

/** A request's parameters are added to a target that does not name them. */
export function mergeQuery(query: string, added: readonly string[]): string {
  const names = new Set(parametersOf(query).map(nameOf));
  const more = added.filter((parameter) => !names.has(nameOf(parameter)));
  const parts = [...(query.length > 1 ? [query.slice(1)] : []), ...more];
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

const nameOf = (parameter: string): string => parameter.slice(0, parameter.indexOf('='));

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

/** Percent-decoded, NFC, no trailing slash; case is kept (rule routing/tree). */
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
