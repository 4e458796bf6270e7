import { AppError } from '../../../contracts/errors.js';
import type { BoundOperation, Services } from '../../procedures/index.js';
import type { HttpAnswer } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { methodNotAllowed } from '../http/failure-answer.js';
import { RestOperation } from './operation.js';
import { readOnlyKeysOf } from './read-only-keys.js';

interface RouteMatch<T> {
  readonly target: T;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  parameter: Node<T> | undefined;
  readonly targets: Map<string, { target: T; names: readonly string[] }>;
}

/** Path segments, and parameter values so far. */
interface Search {
  readonly segments: readonly string[];
  readonly values: string[];
}

const newNode = <T>(): Node<T> => ({ literals: new Map(), parameter: undefined, targets: new Map() });

/** A segment that cannot be decoded matches no literal. */
function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

/**
 * Finds targets by method and path, case-sensitively. Literals win over parameters in any order of registration.
 * `find-my-way` does not decode literals, rejects invalid encodings and does not return a path's methods.
 */
export class RouteTable<T> {
  readonly #root = newNode<T>();

  /** @param template `/api/v1/things/{id}` with input keys as parameters */
  add(method: string, template: string, target: T): void {
    const names: string[] = [];
    let node = this.#root;
    for (const segment of template.split('/').slice(1)) {
      if (isParameter(segment)) {
        names.push(segment.slice(1, -1));
        node = node.parameter ??= newNode<T>();
      } else {
        const next = node.literals.get(segment) ?? newNode<T>();
        node.literals.set(segment, next);
        node = next;
      }
    }
    if (node.targets.has(method)) throw new Error(`${method} ${template} is registered twice`);
    node.targets.set(method, { target, names });
  }

  /** The target, or the allowed methods if only the method is wrong. */
  find(method: string, path: string): RouteMatch<T> | { readonly allowed: readonly string[] } | undefined {
    const segments = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
    const search: Search = { segments, values: [] };
    // The path starts with a slash.
    const node = this.#search(this.#root, 1, search);
    if (node === undefined) return undefined;
    const entry = node.targets.get(method);
    if (entry === undefined) return { allowed: [...node.targets.keys()] };
    const parameters: Record<string, string> = {};
    entry.names.forEach((name, index) => {
      parameters[name] = search.values[index] ?? '';
    });
    return { target: entry.target, parameters };
  }

  /** The node of the segments from `at`; adds parameter values to `search`. */
  #search(node: Node<T>, at: number, search: Search): Node<T> | undefined {
    const segment = search.segments[at];
    if (segment === undefined) return node.targets.size > 0 ? node : undefined;
    const text = decodeSegment(segment);
    const literal = node.literals.get(text);
    const viaLiteral = literal && this.#search(literal, at + 1, search);
    if (viaLiteral !== undefined || node.parameter === undefined || text === '') return viaLiteral;
    search.values.push(text);
    const viaParameter = this.#search(node.parameter, at + 1, search);
    if (viaParameter === undefined) search.values.pop();
    return viaParameter;
  }
}

/** GET also serves HEAD. */
export function restRoutes(
  operations: readonly BoundOperation[],
  services: Services,
): RouteTable<RestOperation> {
  const table = new RouteTable<RestOperation>();
  for (const operation of operations) {
    const rest = operation.meta.openapi;
    if (rest === undefined) continue;
    const readOnly = readOnlyKeysOf(operation, operations);
    table.add(rest.method, rest.path, new RestOperation(operation, rest, { services, readOnly }));
  }
  return table;
}

/** @throws AppError 404 `not_found`, and those of the operation */
export function restAnswer(
  table: RouteTable<RestOperation>,
  exchange: Exchange,
): HttpAnswer | Promise<HttpAnswer> {
  const { method = 'GET', url = '/' } = exchange.request;
  const at = url.indexOf('?');
  const match = table.find(method === 'HEAD' ? 'GET' : method, at < 0 ? url : url.slice(0, at));
  if (match === undefined) throw new AppError('not_found');
  if ('allowed' in match) return methodNotAllowed(exchange, match.allowed);
  const { target, parameters } = match;
  return target.answer(exchange, { parameters, search: at < 0 ? '' : url.slice(at + 1) });
}
