import { describe, expect, it } from '@jest/globals';
import { Uncovered, type QueryPlan } from '../../src/surfaces/graphql/plan/compile-plan.js';
import { PlanCache } from '../../src/surfaces/graphql/plan/plan-cache.js';
import { verifies } from '../support/verifies.js';

/** A plan of so many fields, which counts how often it is compiled. */
class Compiled {
  times = 0;
  readonly plan: QueryPlan = { root: { fields: [], held: [] }, fieldCount: () => this.fields };

  constructor(public fields: number) {}

  readonly compile = (): QueryPlan => {
    this.times += 1;
    return this.plan;
  };
}

describe('The cache of plans', () => {
  verifies('graphql/plans', 'graphql/hostile-queries');

  it('compiles a query once, also one that has no plan', () => {
    const cache = new PlanCache();
    const query = new Compiled(10);
    for (const _ of [1, 2, 3]) expect(cache.get('1', query.compile)).toBe(query.plan);
    expect(query.times).toBe(1);
    let attempts = 0;
    const uncovered = (): QueryPlan => {
      attempts += 1;
      throw new Uncovered();
    };
    for (const _ of [1, 2, 3]) expect(cache.get('2', uncovered)).toBeUndefined();
    expect(attempts).toBe(1);
  });

  it('leaves out a plan that grew beyond what a plan may have', () => {
    const cache = new PlanCache();
    const query = new Compiled(1500);
    expect(cache.get('1', query.compile)).toBe(query.plan);
    query.fields = 2001;
    for (const _ of [1, 2]) expect(cache.get('1', query.compile)).toBeUndefined();
    expect(query.times).toBe(1);
  });

  it('keeps 100,000 fields at most: those of the queries that were used last', () => {
    const cache = new PlanCache();
    const queries = Array.from({ length: 60 }, () => new Compiled(100));
    queries.forEach((query, index) => cache.get(String(index), query.compile));
    // All have grown since, which the next use notes.
    for (const query of queries) query.fields = 1999;
    queries.forEach((query, index) => cache.get(String(index), query.compile));
    queries.forEach((query, index) => cache.get(String(index), query.compile));
    expect(queries.filter(({ times }) => times > 1).length).toBeGreaterThanOrEqual(10);
    const last = queries.at(-1) ?? new Compiled(1);
    const { times } = last;
    cache.get('59', last.compile);
    expect(last.times).toBe(times);
  });
});
