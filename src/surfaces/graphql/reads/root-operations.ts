import type { OperationMeta } from '../../../../contracts/metadata.js';
import type { BoundOperation } from '../../../procedures/index.js';
import type { RootVerb } from '../system/root-contracts.js';

export interface RootOperations {
  /** Checked once per request: all root fields have the same requirements. */
  readonly gate: OperationMeta;
  readonly operations: Readonly<Record<RootVerb, BoundOperation>>;
}

const requirementsOf = ({ meta: { audience, resource, action } }: BoundOperation): string =>
  `${audience} ${resource} ${action}`;

export function rootOperationsOf(operations: readonly BoundOperation[]): RootOperations {
  const roots = operations.filter(({ meta }) => meta.graphql !== undefined);
  const [first] = roots;
  if (first === undefined) throw new Error('no operation has a root field');
  if (new Set(roots.map(requirementsOf)).size > 1)
    throw new Error('root fields have different access requirements');
  const byVerb = roots.map((operation) => [operation.name.slice(operation.name.indexOf('.') + 1), operation]);
  return { gate: first.meta, operations: Object.fromEntries(byVerb) as RootOperations['operations'] };
}
