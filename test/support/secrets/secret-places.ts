import { registry, type OperationMeta } from '../../../contracts/index.js';

export const secretKinds = [
  'API key',
  'session token',
  'refresh token',
  'reset token',
  'password',
  'login challenge',
  'passkey token',
  'second factor secret',
  'second factor code',
  'recovery code',
  'webhook secret',
  'secret header of a webhook',
  'preview token',
  'client secret',
  'sign-on token',
  'feed token',
  'authorization code',
  'confirm token',
  'secret of sessions',
  'password of the database',
  'other credential',
] as const;
export type SecretKind = (typeof secretKinds)[number];

/** Paths in a JSON value; `[]` means every list item. */
type Places = Readonly<Record<string, SecretKind>>;

/** Secrets in an operation's input, and those that only its success response may contain. */
export interface SecretPlaces {
  readonly given?: Places;
  readonly shown?: Places;
}

/** A confirmation request. */
const confirmationRequest: Places = { 'details.confirmToken': 'confirm token' };

function placesOf({ secrets, confirmation }: OperationMeta): SecretPlaces | undefined {
  const asked = confirmation === undefined ? undefined : confirmationRequest;
  if (secrets === undefined && asked === undefined) return undefined;
  const shown = { ...secrets?.output, ...asked };
  return { ...(secrets?.input && { given: secrets.input }), ...(Object.keys(shown).length > 0 && { shown }) };
}

/** Secret positions of each operation, as its contract declares. */
export const secretPlaces: Readonly<Record<string, SecretPlaces>> = Object.fromEntries(
  Object.entries(registry).flatMap(([group, contracts]) =>
    Object.entries(contracts as Record<string, { _def: { meta?: OperationMeta } }>).flatMap(
      ([
        verb,
        {
          _def: { meta },
        },
      ]) => {
        const places = meta && placesOf(meta);
        return places === undefined ? [] : [[`${group}.${verb}`, places] as const];
      },
    ),
  ),
);

const offering = /^\/docs\/?$|^\/api\/graphql\/[^/]+\/?$/;

/** Demo keys, which the pages contain for callers on the same machine. */
export function offeredKeys(pathname: string, page: Buffer): string[] {
  if (!offering.test(pathname)) return [];
  return [...page.toString().matchAll(/data-key="([^"]+)"/g)].map(([, key = '']) => key);
}

/** A webhook header states whether it is secret. */
const isOpen = (value: object): boolean => 'name' in value && 'value' in value && !isSecretHeader(value);
const isSecretHeader = (value: object): boolean => 'secret' in value && value.secret === true;

function valuesAt(value: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (step === undefined) return [value];
  if (step === '[]') return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : [];
  if (typeof value !== 'object' || value === null || isOpen(value)) return [];
  return valuesAt((value as Record<string, unknown>)[step], rest);
}

/** The secrets at these places. */
export function secretsAt(value: unknown, places: Places = {}): [secret: string, kind: SecretKind][] {
  return Object.entries(places).flatMap(([path, kind]) =>
    valuesAt(value, path.replaceAll('[]', '.[]').split('.')).flatMap((secret): [string, SecretKind][] =>
      typeof secret === 'string' ? [[secret, kind]] : [],
    ),
  );
}
