import { Kind, type DocumentNode, type FragmentDefinitionNode } from 'graphql';

/** The fragments of a document by name. */
export function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}

/**
 * Works something out once per fragment, however often it is spread: what keeps every analysis
 * linear in the length of the document. A fragment that leads back to itself counts as `none` there;
 * validation refuses it.
 */
export class PerFragment<T> {
  readonly #known = new Map<string, T>();

  constructor(
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly workOut: (fragment: FragmentDefinitionNode) => T,
    private readonly none: T,
  ) {}

  of(name: string): T {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const fragment = this.fragments.get(name);
    if (fragment === undefined) return this.none;
    this.#known.set(name, this.none);
    const result = this.workOut(fragment);
    this.#known.set(name, result);
    return result;
  }
}
