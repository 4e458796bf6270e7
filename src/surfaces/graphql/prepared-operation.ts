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
import { compilePlan, conditionVariables, type QueryPlan } from './plan/compile-plan.js';
import type { PlanCache } from './plan/plan-cache.js';

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

/** Of one operation, by the lengths of pages; further ones are computed for each request. */
const MAXIMUM_VARIANTS = 16;

interface OperationParts {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly node: OperationDefinitionNode;
  readonly plans: PlanCache;
}

let lastId = 0;
/** Names an operation among all plans: equal texts differ by the schema. */
const nextId = (): number => (lastId += 1);

/** What is known of an operation before its request. */
export class PreparedOperation {
  readonly node: OperationDefinitionNode;
  readonly rootFields: readonly FieldNode[];
  readonly #parts: OperationParts;
  /** Variables that decide what is selected. */
  readonly #conditions: readonly string[];
  /** By the lengths of pages. */
  readonly #costs = new Map<string, number>();
  readonly #id = nextId();

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
  plan(variables: Readonly<Record<string, unknown>>): QueryPlan | undefined {
    const { schema, document, node, plans } = this.#parts;
    const key = [this.#id, ...this.#conditions.map((name) => String(variables[name]))].join(' ');
    return plans.get(key, () => compilePlan(node, { schema, fragments: fragmentsOf(document), variables }));
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

type PreparedParts = Pick<OperationParts, 'schema' | 'plans'>;

/** Valid for a schema and within all limits that do not depend on variables. */
export class PreparedDocument {
  readonly document: DocumentNode;
  readonly isIntrospection: boolean;
  /** Names of all fields that it selects, sorted. */
  readonly fieldNames: readonly string[];
  readonly #parts: PreparedParts;
  readonly #operations = new Map<OperationDefinitionNode, PreparedOperation>();

  constructor(document: DocumentNode, parts: PreparedParts) {
    this.document = document;
    this.#parts = parts;
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
    const operation = new PreparedOperation({ ...this.#parts, document: this.document, node });
    this.#operations.set(node, operation);
    return operation;
  }
}
