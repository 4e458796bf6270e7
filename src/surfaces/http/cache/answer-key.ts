import type { IncomingMessage } from 'node:http';
import { checkExactText } from '../../../content/exact-json/exact-json.js';
import type { BoundOperation } from '../../../procedures/index.js';
import { LRUCache } from 'lru-cache';

/** Longer URLs bypass the cache. */
const MAXIMUM_URL = 2048;

interface Shape {
  readonly pattern: RegExp;
  readonly template: readonly string[];
  /** Query parameters sorted by name, with their defaults as strings. */
  readonly parameters: ReadonlyMap<string, string | undefined>;
  /** Whether it accepts `filter[title][eq]`. */
  readonly hasFilter: boolean;
  /** Whether names of unknown parameters can decide the answer. */
  readonly passesUnknown: boolean;
}

function shapeOf({ meta, input }: BoundOperation): Shape {
  const path = meta.openapi?.path ?? '';
  const template = path.split(/\{\w+\}/);
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const names = Object.keys(input.shape).filter((name) => !inPath.has(name));
  return {
    pattern: new RegExp(`^${template.join('([^/]+)')}$`),
    template,
    parameters: new Map(names.sort().map((name) => [name, defaultOf(input, name)])),
    hasFilter: names.includes('filter'),
    passesUnknown: meta.openapi?.passesUnknownParameters === true,
  };
}

function defaultOf(input: BoundOperation['input'], name: string): string | undefined {
  const value: unknown = (input.shape[name] as { safeParse(value: unknown): { data?: unknown } }).safeParse(
    undefined,
  ).data;
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** Values by name, several if it is repeated. Undefined if one cannot be stored, which the operation may reject. */
function parametersIn(search: string): Map<string, string[]> | undefined {
  const parameters = new Map<string, string[]>();
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
    const decoded = decodeURIComponent(name.replaceAll('+', ' '));
    const text = decodeURIComponent(value.replaceAll('+', ' '));
    if (!checkExactText(decoded + text)) return undefined;
    const known = parameters.get(decoded);
    if (known === undefined) parameters.set(decoded, [text]);
    else known.push(text);
  }
  return parameters;
}

/** Malformed filters too, which the operation rejects. */
const isFilter = (name: string): boolean => name.startsWith('filter');

const isUnknown = ({ parameters, hasFilter }: Shape, name: string): boolean =>
  !parameters.has(name) && !(hasFilter && isFilter(name));

/** A parameter's part of the key, if any. */
function partOf(shape: Shape, name: string, values: string[]): string[] {
  const key = encodeURIComponent(name);
  if (isUnknown(shape, name)) return shape.passesUnknown ? [key] : [];
  if (values.length === 1 && shape.parameters.get(name) === values[0]) return [];
  return values.map((value) => `${key}=${encodeURIComponent(value)}`);
}

/** Of the query: its part of the key, and what it names without effect. */
interface Meaning {
  readonly key: string;
  readonly ignored: readonly string[];
}

function meaningOf(shape: Shape, search: string): Meaning | undefined {
  const given = parametersIn(search);
  // Only its holder may see the answer to a preview token.
  if (given === undefined || given.has('previewToken')) return undefined;
  const meant = [...given]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, values]) => partOf(shape, name, values));
  const ignored = [...given.keys()].filter((name) => isUnknown(shape, name));
  return { key: meant.length === 0 ? '' : `?${meant.join('&')}`, ignored };
}

/** Cache keys that ignore order, defaults, encoding and, unless the operation looks at their names, unknown parameters. */
export class AnswerKeys {
  readonly #shapes: readonly Shape[];

  constructor(operations: readonly BoundOperation[]) {
    this.#shapes = operations.filter(({ meta }) => meta.cacheable === true).map(shapeOf);
  }

  /** An equivalent URL as the key; undefined if the answer must not be stored. */
  ofUrl(url: string): Meaning | undefined {
    if (url.length > MAXIMUM_URL) return undefined;
    const at = url.indexOf('?');
    const path = (at < 0 ? url : url.slice(0, at)).replace(/\/$/, '');
    try {
      for (const shape of this.#shapes) {
        const values = shape.pattern.exec(path)?.slice(1);
        if (values === undefined) continue;
        const meaning = at < 0 ? { key: '', ignored: [] } : meaningOf(shape, url.slice(at + 1));
        if (meaning === undefined) return undefined;
        const encoded = values.map((value) => encodeURIComponent(decodeURIComponent(value)));
        const key = shape.template.map((text, index) => text + (encoded[index] ?? '')).join('') + meaning.key;
        return { key, ignored: meaning.ignored };
      }
    } catch {
      // The operation rejects invalid encodings.
    }
    return undefined;
  }
}

const JSON_BODY = /^application\/json\s*(?:;\s*charset=utf-?8)?$/i;
const GRAPHQL = /^\/api\/graphql\/[\w-]{1,100}$/;
const MAXIMUM_BODY = 16 * 1024;

export function cacheableQueryLength({ url = '', headers }: IncomingMessage): number | undefined {
  const length = Number(headers['content-length'] ?? NaN);
  const isPlain = headers['content-encoding'] === undefined && JSON_BODY.test(headers['content-type'] ?? '');
  const isKept = GRAPHQL.test(url) && isPlain && length > 0 && length <= MAXIMUM_BODY;
  return isKept && (headers.accept?.length ?? 0) <= 100 ? length : undefined;
}

/** Of a query over GET. */
export const isCacheableQuery = ({ url = '', headers }: IncomingMessage): boolean =>
  url.length <= MAXIMUM_BODY &&
  GRAPHQL.test(url.slice(0, url.indexOf('?'))) &&
  (headers.accept?.length ?? 0) <= 100;

const NO_BODY = Buffer.alloc(0);

/** The raw body is the key. `Accept` decides the media type. */
export function queryKey(
  { url = '', headers: { accept = '' } }: IncomingMessage,
  body: Buffer = NO_BODY,
): string {
  return `${url} ${accept.includes('graphql-response') ? accept : ''} ${body.toString('latin1')}`;
}

/** Cache keys by raw URL. Bounded in bytes: clients can invent URLs. */
export class UrlKeys {
  readonly #keys: LRUCache<string, Meaning>;

  constructor(maximumBytes: number) {
    this.#keys = new LRUCache({
      maxSize: Math.max(1, maximumBytes),
      // Ignored names are parts of the URL.
      sizeCalculation: ({ key }, url) => 200 + 2 * (key.length + 2 * url.length),
    });
  }

  get bytes(): number {
    return this.#keys.calculatedSize;
  }

  get(url: string): Meaning | undefined {
    return this.#keys.get(url);
  }

  set(url: string, meaning: Meaning): void {
    this.#keys.set(url, meaning);
  }
}
