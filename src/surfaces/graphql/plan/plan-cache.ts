import { LRUCache } from 'lru-cache';
import { MAXIMUM_PLAN_FIELDS, Uncovered, type QueryPlan } from './compile-plan.js';

/** Of all plans together. */
const MAXIMUM_FIELDS = 100_000;

interface Known {
  /** Undefined for what graphql-js executes. */
  readonly plan: QueryPlan | undefined;
  readonly size: number;
}

function compiled(compile: () => QueryPlan): QueryPlan | undefined {
  try {
    return compile();
  } catch (error) {
    if (error instanceof Uncovered) return undefined;
    throw error;
  }
}

/** Plans of all projects, those that were used last. */
export class PlanCache {
  readonly #plans = new LRUCache<string, Known>({
    maxSize: MAXIMUM_FIELDS,
    sizeCalculation: ({ size }) => size,
  });

  /** @returns undefined if the query has no plan */
  get(key: string, compile: () => QueryPlan): QueryPlan | undefined {
    const known = this.#plans.get(key) ?? { plan: compiled(compile), size: 0 };
    const count = known.plan?.fieldCount() ?? 0;
    // Plans grow with the types that results have.
    if (known.size === count + 1) return known.plan;
    const plan = count > MAXIMUM_PLAN_FIELDS ? undefined : known.plan;
    this.#plans.set(key, { plan, size: plan === undefined ? 1 : count + 1 });
    return plan;
  }
}
