import { expect } from '@jest/globals';
import type { Response } from 'supertest';
import { outcome, type Desk } from '../../support/desk.js';

interface Group {
  readonly value: string | null;
  readonly label: string;
}

export interface Result {
  readonly data: {
    readonly range: { readonly from: string; readonly to: string; readonly timezone: string } | null;
    readonly groupBy: string[];
    readonly metrics: string[];
    readonly chart: string;
    readonly totals: Record<string, number | string | null>;
    readonly rows: {
      readonly groups: Record<string, Group>;
      readonly values: Record<string, number | string | null>;
    }[];
  };
  readonly meta: { readonly groups: number; readonly truncated: boolean };
}

export type Definition = Readonly<Record<string, unknown>> & { readonly id: string };

export const post = (desk: Desk, body: object): Promise<Response> =>
  desk.post('/custom-reports', { name: 'Report', metrics: [{ op: 'count' }], ...body });

export async function define(desk: Desk, body: object): Promise<Definition> {
  const response = await post(desk, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return (response.body as { data: Definition }).data;
}

export async function run(desk: Desk, id: string, query = ''): Promise<Result> {
  const response = await desk.get(`/custom-reports/${id}/run${query}`);
  expect(outcome(response)).toEqual([200, undefined]);
  return response.body as Result;
}

/** Defines a report and runs it. */
export async function report(desk: Desk, body: object, query = ''): Promise<Result> {
  return run(desk, (await define(desk, body)).id, query);
}

/** Values of the groups of each row, then those of its metrics. */
export const table = ({ data: { rows, groupBy, metrics } }: Result): unknown[][] =>
  rows.map(({ groups, values }) => [
    ...groupBy.map((key) => groups[key]?.value),
    ...metrics.map((name) => values[name]),
  ]);
