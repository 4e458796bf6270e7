import { limits } from '../../../contracts/limits.js';

const schemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel']);

/** Browsers drop control characters from URLs, even inside a scheme, and trim spaces. */
const dropped = /\p{Cc}|^\s|\s$/u;

/**
 * Allows http, https, mailto, tel, and URLs without a scheme. The first segment of those has no colon or ampersand,
 * so that decoding it again cannot reveal a scheme (`javascript&colon;…`).
 */
export function isSafeHref(href: string): boolean {
  if (href.length > limits.urlLength || dropped.test(href)) return false;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(href)?.[1];
  if (scheme !== undefined) return schemes.has(scheme.toLowerCase());
  const firstStep = href.split(/[/?#]/, 1)[0] ?? '';
  return !/[:&]/.test(firstStep);
}
