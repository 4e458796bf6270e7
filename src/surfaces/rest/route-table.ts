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

const newNode = <T>(): Node<T> => ({ literals: new Map(), parameter: undefined, targets: new Map() });

/** A segment as it was meant. One that does not decode stays as it is, and so names nothing. */
function decoded(segment: string): string {
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
    const segments = path.replace(/\/$/, '').split('/').slice(1);
    const found = this.#search(this.#root, segments, []);
    if (found === undefined) return undefined;
    const entry = found.node.targets.get(method);
    if (entry === undefined) return { allowed: [...found.node.targets.keys()] };
    const parameters = Object.fromEntries(
      entry.names.map((name, index) => [name, found.values[index] ?? '']),
    );
    return { target: entry.target, parameters };
  }

  #search(
    node: Node<T>,
    [segment, ...rest]: string[],
    values: string[],
  ): { node: Node<T>; values: string[] } | undefined {
    if (segment === undefined) return node.targets.size > 0 ? { node, values } : undefined;
    const text = decoded(segment);
    const literal = node.literals.get(text);
    const viaLiteral = literal && this.#search(literal, rest, values);
    if (viaLiteral !== undefined || node.parameter === undefined || text === '') return viaLiteral;
    return this.#search(node.parameter, rest, [...values, text]);
  }
}
