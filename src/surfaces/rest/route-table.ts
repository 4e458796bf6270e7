/** Where a request belongs: a target, and the values of the path's parameters. */
export interface RouteMatch<T> {
  readonly target: T;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  parameter: Node<T> | undefined;
  readonly targets: Map<string, { target: T; names: readonly string[] }>;
}

/** A search on its way: what is looked for, and the values of the parameters passed so far. */
interface Found {
  readonly segments: readonly string[];
  readonly values: string[];
}

const newNode = <T>(): Node<T> => ({ literals: new Map(), parameter: undefined, targets: new Map() });

/** A segment as it was meant. One that does not decode stays as it is, and so names nothing. */
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
 * Finds targets by method and path. A literal segment wins over a parameter, whatever the order of
 * registration: `tree/global` is never answered by `tree/{siteSlug}`. Matching is case-sensitive.
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

  /** The target of a request; where only the method is wrong, the methods that would do. */
  find(method: string, path: string): RouteMatch<T> | { readonly allowed: readonly string[] } | undefined {
    const segments = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
    const found: Found = { segments, values: [] };
    // What stands before the first slash is no segment.
    const node = this.#search(this.#root, 1, found);
    if (node === undefined) return undefined;
    const entry = node.targets.get(method);
    if (entry === undefined) return { allowed: [...node.targets.keys()] };
    const parameters: Record<string, string> = {};
    entry.names.forEach((name, index) => {
      parameters[name] = found.values[index] ?? '';
    });
    return { target: entry.target, parameters };
  }

  /** The node that the segments from `at` on lead to; the parameters' values stand in `found` then. */
  #search(node: Node<T>, at: number, found: Found): Node<T> | undefined {
    const segment = found.segments[at];
    if (segment === undefined) return node.targets.size > 0 ? node : undefined;
    const text = decoded(segment);
    const literal = node.literals.get(text);
    const viaLiteral = literal && this.#search(literal, at + 1, found);
    if (viaLiteral !== undefined || node.parameter === undefined || text === '') return viaLiteral;
    found.values.push(text);
    const viaParameter = this.#search(node.parameter, at + 1, found);
    if (viaParameter === undefined) found.values.pop();
    return viaParameter;
  }
}
