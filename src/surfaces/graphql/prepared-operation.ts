import {
  getOperationAST,
  Kind,
  visit,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { requestError } from './errors/request-error.js';
import { usesIntrospection } from './limits/measure-document.js';
import { complexityOf, fragmentsOf } from './limits/query-limits.js';
import { compilePlan, conditionVariables, Uncovered, type ObjectPlan } from './plan/compile-plan.js';

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

/** Of one operation, by the values that make a difference; further ones are computed for each request. */
const MAXIMUM_VARIANTS = 16;

interface OperationParts {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly node: OperationDefinitionNode;
}

/** What is known of an operation before its request. */
export class PreparedOperation {
  readonly node: OperationDefinitionNode;
  readonly rootFields: readonly FieldNode[];
  readonly #parts: OperationParts;
  /** Variables that decide what is selected. */
  readonly #conditions: readonly string[];
  /** By the lengths of pages. */
  readonly #costs = new Map<string, number>();
  /** By the values of the conditions; null for what graphql-js executes. */
  readonly #plans = new Map<string, ObjectPlan | null>();

  constructor(parts: OperationParts) {
    this.#parts = parts;
    this.node = parts.node;
    this.rootFields = rootFields(parts.node, fragmentsOf(parts.document));
    this.#conditions = conditionVariables(parts.document);
  }

  /** @param pageLength maximum items of a root field */
  complexity(pageLength: (field: FieldNode) => number): number {
    const key = this.rootFields.map(pageLength).join(' ');
    const known = this.#costs.get(key);
    if (known !== undefined) return known;
    const { node: operation, schema, document } = this.#parts;
    const cost = complexityOf({ schema, document, operation, pageLength });
    if (this.#costs.size < MAXIMUM_VARIANTS) this.#costs.set(key, cost);
    return cost;
  }

  /** @param variables coerced */
  plan(variables: Readonly<Record<string, unknown>>): ObjectPlan | undefined {
    const key = this.#conditions.map((name) => String(variables[name])).join(' ');
    const known = this.#plans.get(key);
    if (known !== undefined) return known ?? undefined;
    if (this.#plans.size >= MAXIMUM_VARIANTS) return undefined;
    const plan = this.#compiled(variables);
    this.#plans.set(key, plan);
    return plan ?? undefined;
  }

  #compiled(variables: Readonly<Record<string, unknown>>): ObjectPlan | null {
    const { schema, document, node } = this.#parts;
    try {
      return compilePlan(node, { schema, fragments: fragmentsOf(document), variables });
    } catch (error) {
      if (error instanceof Uncovered) return null;
      throw error;
    }
  }
}

function fieldNamesOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Field: ({ name }) => {
      names.add(name.value);
    },
  });
  return [...names].sort();
}

/** Valid for a schema and within all limits that do not depend on variables. */
export class PreparedDocument {
  readonly document: DocumentNode;
  readonly isIntrospection: boolean;
  /** Names of all fields that it selects, sorted. */
  readonly fieldNames: readonly string[];
  readonly #schema: GraphQLSchema;
  readonly #operations = new Map<OperationDefinitionNode, PreparedOperation>();

  constructor(document: DocumentNode, schema: GraphQLSchema) {
    this.document = document;
    this.#schema = schema;
    this.isIntrospection = usesIntrospection(document);
    this.fieldNames = fieldNamesOf(document);
  }

  /**
   * @param name needed if there are several
   * @throws GraphqlRequestError `graphql_validation_failed`
   */
  operation(name: string | undefined): PreparedOperation {
    const node = getOperationAST(this.document, name);
    if (!node) {
      const message =
        name === undefined
          ? 'The document has several operations. Name one in "operationName".'
          : 'The document has no operation with this name.';
      throw requestError('graphql_validation_failed', message);
    }
    const known = this.#operations.get(node);
    if (known !== undefined) return known;
    const operation = new PreparedOperation({ schema: this.#schema, document: this.document, node });
    this.#operations.set(node, operation);
    return operation;
  }
}
