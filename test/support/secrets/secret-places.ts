/** What a secret is. */
export const secretKinds = [
  'API key',
  'session token',
  'refresh token',
  'password',
  'webhook secret',
  'secret header of a webhook',
  'preview token',
  'confirm token',
  'secret of sessions',
  'password of the database',
  'other credential',
] as const;
export type SecretKind = (typeof secretKinds)[number];

/** Places in a JSON value, `[]` for every item of a list. */
type Places = Readonly<Record<string, SecretKind>>;

/** Where one operation is told secrets, and where its successful answer, and nothing else, shows them. */
export interface SecretPlaces {
  readonly given?: Places;
  readonly shown?: Places;
}

/** Asked of an agent before what cannot be taken back; REST has no such answer. */
const confirmed: SecretPlaces = { shown: { 'details.confirmToken': 'confirm token' } };

const headers: Places = { 'headers[].value': 'secret header of a webhook' };

/**
 * The one table of what shows a secret by design, once: the operation's answer may hold what stands at these
 * places. An operation that is not here shows none.
 */
export const secretPlaces: Readonly<Record<string, SecretPlaces>> = {
  'apiKeys.create': { shown: { 'data.secret': 'API key' } },
  'apiKeys.rotate': { shown: { 'data.secret': 'API key' } },
  'users.create': { given: { password: 'password' } },
  'users.update': { given: { password: 'password' } },
  'sessions.login': {
    given: { password: 'password' },
    shown: { 'data.accessToken': 'session token', 'data.refreshToken': 'refresh token' },
  },
  'sessions.refresh': {
    given: { refreshToken: 'refresh token' },
    shown: { 'data.accessToken': 'session token', 'data.refreshToken': 'refresh token' },
  },
  'sessions.logout': { given: { refreshToken: 'refresh token' } },
  'webhooks.create': { given: headers, shown: { 'data.secret': 'webhook secret' } },
  'webhooks.update': { given: headers },
  'webhooks.rotateSecret': { shown: { 'data.secret': 'webhook secret' } },
  // `data.url` is an address with the token in it.
  'entries.preview': { shown: { 'data.token': 'preview token' } },
  'entries.publish': confirmed,
  'entries.unpublish': confirmed,
  'entries.delete': confirmed,
};

const offering = /^\/docs\/?$|^\/api\/graphql\/[^/]+\/?$/;

/** The key of a demo, which the pages for people fill in for callers on the machine itself. */
export function offeredKeys(pathname: string, page: Buffer): string[] {
  if (!offering.test(pathname)) return [];
  return [...page.toString().matchAll(/data-key="([^"]+)"/g)].map(([, key = '']) => key);
}

/** A header of a webhook says of itself whether it is secret. */
const isOpen = (value: object): boolean => 'name' in value && 'value' in value && !isSecretHeader(value);
const isSecretHeader = (value: object): boolean => 'secret' in value && value.secret === true;

function valuesAt(value: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (step === undefined) return [value];
  if (step === '[]') return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : [];
  if (typeof value !== 'object' || value === null || isOpen(value)) return [];
  return valuesAt((value as Record<string, unknown>)[step], rest);
}

/** The secrets that stand at the places in a JSON value. */
export function secretsAt(value: unknown, places: Places = {}): [secret: string, kind: SecretKind][] {
  return Object.entries(places).flatMap(([path, kind]) =>
    valuesAt(value, path.replaceAll('[]', '.[]').split('.')).flatMap((secret): [string, SecretKind][] =>
      typeof secret === 'string' ? [[secret, kind]] : [],
    ),
  );
}
