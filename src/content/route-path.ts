import { checkExactText } from './exact-json/exact-value.js';

export interface PathStyle {
  readonly defaultLocale: string;
  readonly locales: readonly string[];
  readonly localePathStrategy: 'prefix' | 'none';
}

/** Undefined if the segment cannot be part of a path. */
function decodedSegment(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment).normalize('NFC');
    return text !== '' && checkExactText(text) && !/[/?#%\\\p{Cc}]/u.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The form in which paths are compared (rule routing/tree): without query, fragment and trailing slash, percent-decoded,
 * NFC, case-sensitive. Undefined if no page can have the path.
 * @param path starts with `/`
 */
export function normalizeRoutePath(path: string): string | undefined {
  const bare = path.replace(/[?#].*$/su, '').replace(/\/$/, '');
  if (bare === '') return '/';
  const segments = bare.split('/').slice(1).map(decodedSegment);
  return segments.includes(undefined) ? undefined : `/${segments.join('/')}`;
}

/** Whether paths of a locale start with its code (rule entries/write). */
const isPrefixed = ({ localePathStrategy, defaultLocale }: PathStyle, locale: string): boolean =>
  localePathStrategy === 'prefix' && locale !== defaultLocale;

/** The public form of a stored path, with its locale prefix if the site uses them. */
export function publicPath(style: PathStyle, locale: string, path: string): string {
  if (!isPrefixed(style, locale)) return path;
  return path === '/' ? `/${locale}` : `/${locale}${path}`;
}

export interface LocalePath {
  readonly locale: string;
  readonly path: string;
}

/** Without `named` the prefix decides the locale; with it, its prefix is optional. */
export function splitPublicPath(style: PathStyle, path: string, named: string | undefined): LocalePath {
  const [, first = ''] = path.split('/');
  const isPrefix = style.locales.includes(first) && isPrefixed(style, first);
  if (isPrefix && (named ?? first) === first)
    return { locale: first, path: path.slice(first.length + 1) || '/' };
  return { locale: named ?? style.defaultLocale, path };
}

export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
