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
import { limits } from '../../../../contracts/limits.js';
import { refusal, refusalOf } from '../errors/request-error.js';
import { fragmentsOf } from './fragments.js';

/** Arguments of root fields as this request gives them, variables put in; null counts as absent. */
export type RootArguments = ReadonlyMap<FieldNode, Readonly<Record<string, unknown>>>;

/** Something that was asked for and not done; listed in `extensions.warnings`. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** The fields that an operation asks of the root, those in fragments included, each as often as it is written. */
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

/**
 * Arguments of the root fields of a valid operation.
 * @throws GraphqlRefusal `graphql_validation_failed` where variables leave a required one without a value
 */
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
      if (error instanceof GraphQLError) throw refusalOf('graphql_validation_failed', [error]);
      throw error;
    }
  }
  return values;
}

function assertRange(
  field: FieldNode,
  value: unknown,
  range: { name: string; min: number; max: number },
): void {
  if (typeof value !== 'number' || (value >= range.min && value <= range.max)) return;
  const bounds = range.max === Infinity ? `${range.min} or more` : `between ${range.min} and ${range.max}`;
  throw refusal(
    'graphql_validation_failed',
    `Argument "${range.name}" of "${field.name.value}" must be ${bounds}.`,
    {
      argument: range.name,
      actual: value,
    },
  );
}

/**
 * Checks root arguments that types cannot, before anything is read: literals and variables alike (decisions 2.30).
 * @throws GraphqlRefusal `graphql_validation_failed` for `limit` or `skip`, `preview_not_allowed` for delivery keys
 */
export function assertRootArguments(values: RootArguments, mayPreview: boolean): void {
  for (const [field, { limit, skip, preview }] of values) {
    assertRange(field, limit, { name: 'limit', min: 1, max: limits.pageLimitMaximum });
    assertRange(field, skip, { name: 'skip', min: 0, max: Infinity });
    if (preview === true && !mayPreview)
      throw refusal('preview_not_allowed', 'A delivery key cannot read drafts.');
  }
}

/** Remarks on arguments that are declared and not applied (specification 4.2 rule 2), one per field and argument. */
export function warningsOf(values: RootArguments): Warning[] {
  const messages = new Map<string, Warning>();
  for (const [field, given] of values) {
    for (const name of ['where', 'orderBy'] as const) {
      if (given[name] === undefined || given[name] === null) continue;
      const message = `"${name}" of "${field.name.value}" is not applied: collections hold every entry, newest _updatedAt first.`;
      messages.set(message, {
        code: name === 'where' ? 'where_not_applied' : 'order_by_not_applied',
        message,
      });
    }
  }
  return [...messages.values()];
}
