import {
  Kind,
  type DefinitionNode,
  type DocumentNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { isIntrospectionField } from '../introspection.js';
import { fragmentsOf, PerFragment } from './fragments.js';

/** How deep and how large a selection is, its fragments in place. Numbers stop at the largest safe integer. */
export interface DocumentMeasure {
  /** Levels of content fields; `__typename` is free. */
  readonly depth: number;
  /** Levels of introspection fields, `__schema` or `__type` being the first. */
  readonly introspectionDepth: number;
  /** Fields and spreads of the largest operation or fragment. */
  readonly size: number;
}

const nothing: DocumentMeasure = { depth: 0, introspectionDepth: 0, size: 0 };

function together(measures: readonly DocumentMeasure[]): DocumentMeasure {
  let { depth, introspectionDepth, size } = nothing;
  for (const measure of measures) {
    depth = Math.max(depth, measure.depth);
    introspectionDepth = Math.max(introspectionDepth, measure.introspectionDepth);
    size = Math.min(size + measure.size, Number.MAX_SAFE_INTEGER);
  }
  return { depth, introspectionDepth, size };
}

/** Measures a document that parses, valid or not, in time linear in its length. */
export function measureDocument(document: DocumentNode): DocumentMeasure {
  const perFragment = new PerFragment(
    fragmentsOf(document),
    ({ selectionSet }) => ofSet(selectionSet),
    nothing,
  );

  function ofSet(set: SelectionSetNode | undefined): DocumentMeasure {
    return set === undefined ? nothing : together(set.selections.map(ofSelection));
  }

  function ofSelection(selection: SelectionNode): DocumentMeasure {
    if (selection.kind === Kind.INLINE_FRAGMENT) return ofSet(selection.selectionSet);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return withSize(perFragment.of(selection.name.value));
    const name = selection.name.value;
    const below = withSize(ofSet(selection.selectionSet));
    if (name === '__typename') return below;
    if (!isIntrospectionField(name)) return { ...below, depth: below.depth + 1 };
    return { ...below, depth: 0, introspectionDepth: Math.max(below.depth + 1, below.introspectionDepth) };
  }

  function ofDefinition(definition: DefinitionNode): DocumentMeasure {
    if (definition.kind === Kind.OPERATION_DEFINITION) return ofSet(definition.selectionSet);
    // Whether the levels of a fragment are content or introspection shows only where it is spread.
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) return nothing;
    return { ...nothing, size: perFragment.of(definition.name.value).size };
  }

  const measures = document.definitions.map(ofDefinition);
  return { ...together(measures), size: Math.max(0, ...measures.map(({ size }) => size)) };
}

const withSize = (measure: DocumentMeasure): DocumentMeasure => ({ ...measure, size: measure.size + 1 });
