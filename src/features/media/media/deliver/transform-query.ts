import { invalidInput, issuesOf } from '../../../../../contracts/errors.js';
import { MediaTransform } from '../../../../../contracts/media/media/media-transform.js';

/** Written as image components write them. */
export function transformQuery({ fp, rect, ...plain }: MediaTransform): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(plain)) if (value !== undefined) query.set(name, String(value));
  if (fp !== undefined) query.set('fp', `${String(fp.x)},${String(fp.y)}`);
  if (rect !== undefined) query.set('rect', [rect.x, rect.y, rect.w, rect.h].join(','));
  return query;
}

const NUMBER = /^\d{1,6}(?:\.\d{1,6})?$/;

const numberOf = (text: string): unknown => (NUMBER.test(text) ? Number(text) : text);

function numbersOf(text: string, names: readonly string[]): unknown {
  const parts = text.split(',');
  if (parts.length !== names.length) return text;
  return Object.fromEntries(names.map((name, index) => [name, numberOf(parts[index] ?? '')]));
}

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  w: numberOf,
  h: numberOf,
  q: numberOf,
  dpr: numberOf,
  // The stored focal point is the default.
  fp: (text) => (text === 'auto' ? undefined : numbersOf(text, ['x', 'y'])),
  rect: (text) => numbersOf(text, ['x', 'y', 'w', 'h']),
};

/** Names of the signature; `key` is the key that made the URL. */
const SIGNING = ['exp', 'key', 'sig'];

/** @throws AppError 422 `validation_failed` for unknown, repeated or invalid parameters */
export function readTransform(query: URLSearchParams): MediaTransform {
  const values: Record<string, unknown> = {};
  for (const [name, text] of query) {
    if (SIGNING.includes(name)) continue;
    if (name in values)
      throw invalidInput({ path: [name], code: 'repeated', message: 'Send the parameter once.' });
    values[name] = (readers[name] ?? String)(text);
  }
  const parsed = MediaTransform.safeParse(values);
  if (!parsed.success) throw invalidInput(...issuesOf(parsed.error));
  return parsed.data;
}
