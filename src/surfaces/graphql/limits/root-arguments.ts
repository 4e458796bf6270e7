import {
  getArgumentValues,
  GraphQLError,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { requestError, requestErrorFrom } from '../errors/request-error.js';
import { argumentRanges, ignoredArguments } from '../system/root-contracts.js';
import { fragmentsOf } from './query-limits.js';

/** Arguments after substituting variables. */
export type RootArguments = ReadonlyMap<FieldNode, Readonly<Record<string, unknown>>>;

/** An item of `extensions.warnings`. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** Root fields, including those in fragments. */
function rootFields(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): FieldNode[] {
  const fields: FieldNode[] = [];
  const visited = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else {
        const fragment = fragments.get(selection.name.value);
        if (fragment === undefined || visited.has(selection.name.value)) continue;
        visited.add(selection.name.value);
        collect(fragment.selectionSet);
      }
    }
  };
  collect(operation.selectionSet);
  return fields;
}

/** @throws GraphqlRequestError `graphql_validation_failed` if a required argument has no value */
export function rootArguments(
  schema: GraphQLSchema,
  { document, operation }: { document: DocumentNode; operation: OperationDefinitionNode },
  variables: Readonly<Record<string, unknown>>,
): RootArguments {
  const definitions = schema.getQueryType()?.getFields() ?? {};
  const values = new Map<FieldNode, Record<string, unknown>>();
  for (const field of rootFields(operation, fragmentsOf(document))) {
    const definition = definitions[field.name.value];
    if (definition === undefined) continue;
    try {
      values.set(field, getArgumentValues(definition, field, variables));
    } catch (error) {
      if (error instanceof GraphQLError) throw requestErrorFrom('graphql_validation_failed', [error]);
      throw error;
    }
  }
  return values;
}

/**
 * Checks values before reading (rule graphql/failures).
 * @throws GraphqlRequestError `graphql_validation_failed`; `preview_not_allowed` for delivery keys
 */
export function assertRootArguments(values: RootArguments, mayPreview: boolean): void {
  for (const [field, given] of values) {
    for (const [name, { min, max }] of argumentRanges) {
      const actual = given[name];
      if (typeof actual !== 'number' || (actual >= min && actual <= max)) continue;
      const bounds = max === Infinity ? `${min} or more` : `between ${min} and ${max}`;
      const message = `Argument "${name}" of "${field.name.value}" must be ${bounds}.`;
      throw requestError('graphql_validation_failed', message, { argument: name, actual });
    }
    if (given.preview === true && !mayPreview)
      throw requestError('preview_not_allowed', 'Delivery keys cannot read drafts. Use a preview key.');
  }
}

/** One warning per field and ignored argument (rule graphql/endpoint). */
export function warningsOf(values: RootArguments): Warning[] {
  const warnings = new Map<string, Warning>();
  for (const [field, given] of values) {
    for (const [name, code] of ignoredArguments) {
      if (given[name] === undefined || given[name] === null) continue;
      const message = `Argument "${name}" of "${field.name.value}" is ignored. Collections return all entries, newest _updatedAt first.`;
      warnings.set(message, { code, message });
    }
  }
  return [...warnings.values()];
}
