import { checkExactText } from './exact-json/exact-text.js';

/** What decides how a site's paths look outside. */
export interface PathStyle {
  readonly defaultLocale: string;
  readonly locales: readonly string[];
  readonly localePathStrategy: 'prefix' | 'none';
}

/** A segment as it was meant; undefined where it does not decode or holds what no slug may hold. */
function decodedSegment(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment).normalize('NFC');
    return text !== '' && checkExactText(text) && !/[/?#%\\\p{Cc}]/u.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The one form in which paths are compared (decisions 2.12): without query, fragment and trailing
 * slash, percent-decoded, NFC, case kept. Undefined where no page can have such a path.
 * @param path begins with `/`
 */
export function normalizeRoutePath(path: string): string | undefined {
  const bare = path.replace(/[?#].*$/su, '').replace(/\/$/, '');
  if (bare === '') return '/';
  const segments = bare.split('/').slice(1).map(decodedSegment);
  return segments.includes(undefined) ? undefined : `/${segments.join('/')}`;
}

/** Whether paths of a locale begin with its code (decisions 2.29). */
const isPrefixed = ({ localePathStrategy, defaultLocale }: PathStyle, locale: string): boolean =>
  localePathStrategy === 'prefix' && locale !== defaultLocale;

/** A stored path as it looks outside: with the prefix of its locale where the site has such. */
export function publicPath(style: PathStyle, locale: string, path: string): string {
  if (!isPrefixed(style, locale)) return path;
  return path === '/' ? `/${locale}` : `/${locale}${path}`;
}

/** A locale and the path in it. */
export interface LocalePath {
  readonly locale: string;
  readonly path: string;
}

/**
 * Parts an outside path into locale and stored path. The prefix says the locale where none is named;
 * where one is, its own prefix may stand before the path or be left away.
 */
export function splitPublicPath(style: PathStyle, path: string, named: string | undefined): LocalePath {
  const [, first = ''] = path.split('/');
  const isPrefix = style.locales.includes(first) && isPrefixed(style, first);
  if (isPrefix && (named ?? first) === first)
    return { locale: first, path: path.slice(first.length + 1) || '/' };
  return { locale: named ?? style.defaultLocale, path };
}

/** A path as part of a URL. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
