import type { OperationMeta } from '../../../../contracts/metadata.js';
import type { BoundOperation } from '../../../procedures/index.js';
import type { RootVerb } from '../system/root-contracts.js';

/** The bound procedures of root fields. */
export interface RootOperations {
  /** What the gate checks, once per request: it is the same for every root field. */
  readonly gate: OperationMeta;
  readonly operations: Readonly<Record<RootVerb, BoundOperation>>;
}

const questionOf = ({ meta: { audience, resource, action } }: BoundOperation): string =>
  `${audience} ${resource} ${action}`;

/** Selects the procedures that have root fields. */
export function rootOperationsOf(operations: readonly BoundOperation[]): RootOperations {
  const roots = operations.filter(({ meta }) => meta.graphql !== undefined);
  const [first] = roots;
  if (first === undefined) throw new Error('no operation has a root field');
  if (new Set(roots.map(questionOf)).size > 1)
    throw new Error('root fields differ in what the gate must check');
  const byVerb = roots.map((operation) => [operation.name.slice(operation.name.indexOf('.') + 1), operation]);
  return { gate: first.meta, operations: Object.fromEntries(byVerb) as RootOperations['operations'] };
}
