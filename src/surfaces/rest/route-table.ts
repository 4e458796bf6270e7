/** The target of a request, and the values of the path's parameters. */
export interface RouteMatch<T> {
  readonly target: T;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  parameter: Node<T> | undefined;
  readonly targets: Map<string, { target: T; names: readonly string[] }>;
}

/** The state of a search: the segments of the path, and the values of the parameters so far. */
interface Search {
  readonly segments: readonly string[];
  readonly values: string[];
}

const newNode = <T>(): Node<T> => ({ literals: new Map(), parameter: undefined, targets: new Map() });

/** A segment that cannot be decoded is compared as it is, and so matches nothing. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

/**
 * Finds targets by method and path. A literal segment wins over a parameter, whatever the order of registration:
 * `tree/global` is never routed to `tree/{siteSlug}`. Matching is case-sensitive. `find-my-way` is not used: it does
 * not decode literal segments, rejects paths that cannot be decoded, and does not return the methods of a path.
 */
export class RouteTable<T> {
  readonly #root = newNode<T>();

  /** @param template `/api/v1/things/{id}`: the parameters' names are those of the input's keys */
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

  /** The target of a request; the allowed methods, if only the method is wrong. */
  find(method: string, path: string): RouteMatch<T> | { readonly allowed: readonly string[] } | undefined {
    const segments = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
    const search: Search = { segments, values: [] };
    // The first segment follows the first slash.
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

  /** The node of the segments from `at` on; adds the values of the parameters to `search`. */
  #search(node: Node<T>, at: number, search: Search): Node<T> | undefined {
    const segment = search.segments[at];
    if (segment === undefined) return node.targets.size > 0 ? node : undefined;
    const text = decoded(segment);
    const literal = node.literals.get(text);
    const viaLiteral = literal && this.#search(literal, at + 1, search);
    if (viaLiteral !== undefined || node.parameter === undefined || text === '') return viaLiteral;
    search.values.push(text);
    const viaParameter = this.#search(node.parameter, at + 1, search);
    if (viaParameter === undefined) search.values.pop();
    return viaParameter;
  }
}
