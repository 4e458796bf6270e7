import { limits } from '../../../contracts/limits.js';

const schemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel']);

/** Browsers drop control characters from addresses, inside a scheme too, and trim spaces around them. */
const dropped = /\p{Cc}|^\s|\s$/u;

/**
 * Whether a link may point there: http, https, mailto, tel, or no scheme at all (a path, a query or
 * a fragment). Without a scheme, the first step of the path holds neither a colon nor an ampersand,
 * so that nobody who decodes it once more finds a scheme after all (`javascript&colon;…`).
 */
export function isSafeHref(href: string): boolean {
  if (href.length > limits.urlLength || dropped.test(href)) return false;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(href)?.[1];
  if (scheme !== undefined) return schemes.has(scheme.toLowerCase());
  const firstStep = href.split(/[/?#]/, 1)[0] ?? '';
  return !/[:&]/.test(firstStep);
}
