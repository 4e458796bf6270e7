import {
  visit,
  type DocumentNode,
  Kind,
  type DefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { requestError } from '../errors/request-error.js';
import { fragmentsOf, PerFragment } from './query-limits.js';

/** `__typename` is part of reading content. */
const isIntrospectionField = (name: string): boolean => name === '__schema' || name === '__type';

export function usesIntrospection(document: DocumentNode): boolean {
  let isUsed = false;
  visit(document, {
    Field: ({ name }) => {
      isUsed ||= isIntrospectionField(name.value);
    },
  });
  return isUsed;
}

/**
 * Rule graphql/introspection.
 * @throws GraphqlRequestError `introspection_disabled`
 */
export function assertMayIntrospect(isIntrospection: boolean, mayIntrospect: boolean): void {
  if (!isIntrospection || mayIntrospect) return;
  throw requestError(
    'introspection_disabled',
    'Delivery keys cannot introspect the schema. Use a preview or management key.',
  );
}

/** Measures after inlining fragments, capped at the largest safe integer. */
export interface DocumentMeasure {
  /** Depth of content fields without `__typename`. */
  readonly depth: number;
  /** Depth below `__schema` or `__type`. */
  readonly introspectionDepth: number;
  /** Depth of lists below them; each multiplies the result by the size of the schema. */
  readonly introspectionLists: number;
  /** Introspection fields and spreads. */
  readonly introspectionSize: number;
  /** Fields and spreads of the largest definition. */
  readonly size: number;
}

/** `lists` count only below an introspection root field. */
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

/** Lists that grow with the schema. */
const listNames: ReadonlySet<string> = new Set([
  'types',
  'fields',
  'inputFields',
  'interfaces',
  'possibleTypes',
]);

const clampedSum = (a: number, b: number): number => Math.min(a + b, Number.MAX_SAFE_INTEGER);

function combine(measures: readonly PartMeasure[]): PartMeasure {
  let all = nothing;
  for (const one of measures)
    all = {
      depth: Math.max(all.depth, one.depth),
      introspectionDepth: Math.max(all.introspectionDepth, one.introspectionDepth),
      introspectionLists: Math.max(all.introspectionLists, one.introspectionLists),
      introspectionSize: clampedSum(all.introspectionSize, one.introspectionSize),
      size: clampedSum(all.size, one.size),
      lists: Math.max(all.lists, one.lists),
    };
  return all;
}

/** Linear in document length; the document may be invalid. */
export function measureDocument(document: DocumentNode): DocumentMeasure {
  const perFragment = new PerFragment(
    fragmentsOf(document),
    ({ selectionSet }) => ofSet(selectionSet),
    nothing,
  );

  function ofSet(set: SelectionSetNode | undefined): PartMeasure {
    return set === undefined ? nothing : combine(set.selections.map(ofSelection));
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
    // Its depth depends on where it is spread.
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) return nothing;
    return { ...nothing, size: perFragment.of(definition.name.value).size };
  }

  const measures = document.definitions.map(ofDefinition);
  return { ...combine(measures), size: Math.max(0, ...measures.map(({ size }) => size)) };
}

const withSize = (measure: PartMeasure): PartMeasure => ({ ...measure, size: clampedSum(measure.size, 1) });
