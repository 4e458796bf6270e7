const REDACTED = '[redacted]';

const secretWords: ReadonlySet<string> = new Set([
  'secret',
  'secrets',
  'password',
  'passwords',
  'passwd',
  'passphrase',
  'token',
  'tokens',
  'authorization',
  'cookie',
  'cookies',
  'credential',
  'credentials',
  'apikey',
]);
const secretPairs: ReadonlySet<string> = new Set(['api key', 'private key', 'key hash']);

const names = new Map<string, boolean>();
const REMEMBERED_NAMES = 5000;

function isSecretWords(name: string): boolean {
  const words = name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word, index) => secretWords.has(word) || secretPairs.has(`${word} ${words[index + 1]}`));
}

/** Whether a key names a credential: `secretHash`, `api_key`, `X-Auth-Token`. */
export function isSecretName(name: string): boolean {
  const known = names.get(name);
  if (known !== undefined) return known;
  if (names.size >= REMEMBERED_NAMES) names.clear();
  const isSecret = isSecretWords(name);
  names.set(name, isSecret);
  return isSecret;
}

/** Our keys and webhook secrets, signed tokens, password hashes, bearer credentials, passwords in URLs. */
const shapes =
  /\bhw[a-z]_[0-9A-Za-z]{16,}|\bwhsec_[0-9A-Za-z+/=_-]{16,}|\beyJ[\w-]{8,}\.[\w-]{2,}\.[\w-]*|\$argon2[a-z]{1,2}\$[^\s"]+|\bBearer +[\w.~+/=-]{16,}|(?<=:\/\/[^\s/:@]{0,64}:)[^\s/@]{1,256}(?=@)/g;
/** Fast check: one of the shapes may occur. */
const hints = /hw[a-z]_|whsec_|eyJ|\$argon2|Bearer |:\/\/[^\s/@]*@/;

/** Replaces every credential in a string. */
export function redactText(text: string): string {
  return hints.test(text) ? text.replace(shapes, REDACTED) : text;
}

function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Flags and absent values reveal nothing. */
const isSensitive = (value: unknown): boolean =>
  value !== null && value !== undefined && typeof value !== 'boolean' && value !== '';

/** Deeper values are hidden. */
const DEEPEST = 120;

function redactObject(record: Record<string, unknown>, depth: number): Record<string, unknown> {
  // Webhook headers have a flag for secret values.
  const isSecretValue = record.secret === true;
  let copy: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(record)) {
    const isHidden = isSensitive(value) && (isSecretName(name) || (isSecretValue && name === 'value'));
    const shown = isHidden ? REDACTED : redactDeep(value, depth + 1);
    if (shown !== value) (copy ??= { ...record })[name] = shown;
  }
  return copy ?? record;
}

function redactDeep(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return REDACTED;
  if (Array.isArray(value)) {
    const shown = value.map((item) => redactDeep(item, depth + 1));
    return shown.some((item, index) => item !== value[index]) ? shown : value;
  }
  return isPlain(value) ? redactObject(value, depth) : value;
}

/** Hides credentials at every depth, by key and by shape. A value without any is returned as is. */
export function redactSecrets<T>(value: T): T {
  return redactDeep(value, 0) as T;
}
