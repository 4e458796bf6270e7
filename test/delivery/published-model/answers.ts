import { expect } from '@jest/globals';
import type { Response } from 'supertest';

export function expectOk(answer: Response): void {
  const isOk = [200, 201, 202].includes(answer.status);
  expect([isOk, isOk ? '' : answer.text]).toEqual([true, '']);
}

export const dataOf = <Data>(answer: Response): Data => (answer.body as { data: Data }).data;
