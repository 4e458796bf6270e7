import { Kind, type DocumentNode, type FragmentDefinitionNode } from 'graphql';

export function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}

/**
 * Computes a value once per fragment, so that analyses are linear in document length. Inside itself a cyclic
 * fragment counts as `none`; validation rejects it.
 */
export class PerFragment<T> {
  readonly #known = new Map<string, T>();

  constructor(
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly compute: (fragment: FragmentDefinitionNode) => T,
    private readonly none: T,
  ) {}

  of(name: string): T {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const fragment = this.fragments.get(name);
    if (fragment === undefined) return this.none;
    this.#known.set(name, this.none);
    const result = this.compute(fragment);
    this.#known.set(name, result);
    return result;
  }
}
