import {
  Kind,
  type DefinitionNode,
  type DocumentNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { isIntrospectionField } from './introspection.js';
import { fragmentsOf, PerFragment } from './fragments.js';

/** How deep and how large a selection is, its fragments in place. Numbers stop at the largest safe integer. */
export interface DocumentMeasure {
  /** Levels of content fields; `__typename` is free. */
  readonly depth: number;
  /** Levels of introspection fields, `__schema` or `__type` being the first. */
  readonly introspectionDepth: number;
  /** Lists of introspection one inside another: each multiplies the answer by the size of the schema. */
  readonly introspectionLists: number;
  /** Fields and spreads of introspection in all. */
  readonly introspectionSize: number;
  /** Fields and spreads of the largest operation or fragment. */
  readonly size: number;
}

/** A measure on the way up: whether lists are those of introspection shows only at its root field. */
interface PartMeasure extends DocumentMeasure {
  readonly lists: number;
}

const nothing: PartMeasure = {
  depth: 0,
  introspectionDepth: 0,
  introspectionLists: 0,
  introspectionSize: 0,
  size: 0,
  lists: 0,
};

/** Fields of introspection whose lists grow with the schema. */
const listNames: ReadonlySet<string> = new Set([
  'types',
  'fields',
  'inputFields',
  'interfaces',
  'possibleTypes',
]);

const sum = (a: number, b: number): number => Math.min(a + b, Number.MAX_SAFE_INTEGER);

function together(measures: readonly PartMeasure[]): PartMeasure {
  let all = nothing;
  for (const one of measures)
    all = {
      depth: Math.max(all.depth, one.depth),
      introspectionDepth: Math.max(all.introspectionDepth, one.introspectionDepth),
      introspectionLists: Math.max(all.introspectionLists, one.introspectionLists),
      introspectionSize: sum(all.introspectionSize, one.introspectionSize),
      size: sum(all.size, one.size),
      lists: Math.max(all.lists, one.lists),
    };
  return all;
}

/** Measures a document that parses, valid or not, in time linear in its length. */
export function measureDocument(document: DocumentNode): DocumentMeasure {
  const perFragment = new PerFragment(
    fragmentsOf(document),
    ({ selectionSet }) => ofSet(selectionSet),
    nothing,
  );

  function ofSet(set: SelectionSetNode | undefined): PartMeasure {
    return set === undefined ? nothing : together(set.selections.map(ofSelection));
  }

  function ofSelection(selection: SelectionNode): PartMeasure {
    if (selection.kind === Kind.INLINE_FRAGMENT) return ofSet(selection.selectionSet);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return withSize(perFragment.of(selection.name.value));
    const name = selection.name.value;
    const below = withSize(ofSet(selection.selectionSet));
    if (name === '__typename') return below;
    if (!isIntrospectionField(name))
      return { ...below, depth: below.depth + 1, lists: below.lists + (listNames.has(name) ? 1 : 0) };
    return {
      ...nothing,
      introspectionDepth: Math.max(below.depth + 1, below.introspectionDepth),
      introspectionLists: Math.max(below.lists, below.introspectionLists),
      introspectionSize: below.size,
      size: below.size,
    };
  }

  function ofDefinition(definition: DefinitionNode): PartMeasure {
    if (definition.kind === Kind.OPERATION_DEFINITION) return ofSet(definition.selectionSet);
    // Whether the levels of a fragment are content or introspection shows only where it is spread.
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) return nothing;
    return { ...nothing, size: perFragment.of(definition.name.value).size };
  }

  const measures = document.definitions.map(ofDefinition);
  return { ...together(measures), size: Math.max(0, ...measures.map(({ size }) => size)) };
}

const withSize = (measure: PartMeasure): PartMeasure => ({ ...measure, size: sum(measure.size, 1) });
