export interface RouteMatch<T> {
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
