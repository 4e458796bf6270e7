import { canonicalPath, type PathFault, splitTarget } from './redirect-address.js';

/** Whether the target is a URL of another host, at which a chain ends. */
export const isAbsolute = (target: string): boolean => target.startsWith('https://');

/** White space, control and format characters (such as direction marks), and what browsers read as a slash. */
const unsafeCharacter = /[\s\\\p{Cc}\p{Cf}\p{Cs}]/u;
const scheme = /^[a-z][a-z0-9+.-]*:/i;
/** Groups of a pattern, which a visitor chooses, stay out of it. */
const hostName = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/;

const invalid = (message: string): PathFault => ({ code: 'invalid_target', message });

function canonicalUrl(text: string): string | PathFault {
  // Browsers would also read "https:host" and "https:///host" as another host.
  if (!/^https:\/\/[^/?#]/i.test(text))
    return invalid('A target is a path, or a URL that starts with "https://" and a host.');
  if (unsafeCharacter.test(text))
    return invalid('A URL must not contain spaces, backslashes or control characters.');
  const url = URL.parse(text);
  if (url === null) return invalid('The URL is invalid.');
  if (url.username !== '' || url.password !== '' || /^https:\/\/[^/?#]*@/i.test(text))
    return invalid('A URL must not contain a user name or password.');
  if (!hostName.test(url.hostname))
    return invalid('The host of a URL must be a host name; groups of a pattern belong after it.');
  return url.href;
}

/** Percent-encodes what a URL cannot contain; `&`, `=` and encoded characters are kept. */
function canonicalSuffix(suffix: string): string | PathFault {
  if (unsafeCharacter.test(suffix))
    return invalid('A query or fragment must not contain spaces, backslashes or control characters.');
  const { search, hash } = new URL(suffix, 'https://host.invalid/');
  return search + hash;
}

/** A path with optional query and fragment, or an absolute https URL, in the form in which it is stored. */
export function canonicalTarget(text: string): string | PathFault {
  if (scheme.test(text)) return canonicalUrl(text);
  const { path, query, fragment } = splitTarget(text);
  const canonical = canonicalPath(path);
  if (typeof canonical !== 'string') return canonical;
  const suffix = query + fragment === '' ? '' : canonicalSuffix(query + fragment);
  return typeof suffix === 'string' ? canonical + suffix : suffix;
}

/** Whether the site lets redirects lead to the host of the target. A path is always allowed. */
export function isAllowedTarget(target: string | null, allowed: readonly string[] | null): boolean {
  if (target === null || allowed === null || !isAbsolute(target)) return true;
  const { hostname } = new URL(target);
  return allowed.some((host) =>
    host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : host === hostname,
  );
}

/** {@link isAllowedTarget} as SQL; null in `patterns` allows every host. */
export const allowedTargetSql = (patterns: string): string =>
  `(${patterns}::text[] IS NULL OR target IS NULL OR left(target, 8) <> 'https://'
    OR substring(target FROM '^https://([^/:?#]+)') LIKE ANY (${patterns}::text[]))`;

/** The patterns of {@link allowedTargetSql}. Hosts contain no wildcard of LIKE. */
export const allowedPatterns = (allowed: readonly string[] | null): readonly string[] | null =>
  allowed?.map((host) => host.replace(/^\*/, '%')) ?? null;
