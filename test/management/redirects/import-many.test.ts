import { beforeEach, describe, expect, it } from '@jest/globals';
import { limits } from '../../../contracts/limits.js';
import { issues, outcome, useApp } from '../../support/desk.js';
import { RedirectDesk } from './desk.js';

const app = useApp();
let redirects: RedirectDesk;

beforeEach(async () => {
  redirects = await RedirectDesk.open(app());
});

describe('An import of 10,000 rows', () => {
  it('runs as many statements for 10,000 rows as for a few', async () => {
    await redirects.made('/old/(\\d+)x', '/new/$1', { matchType: 'regex' });
    const file = (count: number, to: string) =>
      `source,target\n${Array.from({ length: count }, (_none, n) => `/old/${n},/${to}/${n}\n`).join('')}`;
    const few = await app().recordStatements(() => redirects.imported(file(10, 'first')));
    const many = await app().recordStatements(() =>
      redirects.imported(file(limits.redirectImportRows, 'new')),
    );
    expect(many.result).toMatchObject({ total: 10_000, created: 9_990, updated: 10, failed: 0 });
    expect(many.statements.length).toBeLessThanOrEqual(few.statements.length + 2);
  });

  it('imports 10,000 rows that form one chain', async () => {
    const csv = `source,target\n${Array.from({ length: limits.redirectImportRows }, (_none, n) => `/${n},/${n + 1}\n`).join('')}`;
    expect(await redirects.imported(csv)).toMatchObject({ created: 10_000 });
    expect(outcome(await redirects.create('/10000', '/0'))).toEqual([409, 'redirect_loop']);
  });

  it('rejects only the last row of 10,000 that form a loop', async () => {
    const last = limits.redirectImportRows - 1;
    const csv = `source,target\n${Array.from({ length: last }, (_none, n) => `/${n},/${n + 1}\n`).join('')}/${last},/0\n`;
    expect(await redirects.imported(csv)).toMatchObject({
      created: last,
      errors: [{ line: last + 2, code: 'redirect_loop' }],
    });
  });

  it('imports the valid half of 10,000 rows', async () => {
    const csv = `source,target\n${Array.from({ length: 5000 }, (_none, n) => `/${n},/x\nbad,/${n}\n`).join('')}`;
    const report = await redirects.imported(csv);
    expect(report).toMatchObject({ created: 5000, failed: 5000 });
    expect(report.errors.at(-1)).toMatchObject({ line: 10_001, code: 'invalid_path' });
  });

  it('rejects 10,001 rows', async () => {
    const response = await redirects.import(
      `source,target\n${'/a,/b\n'.repeat(limits.redirectImportRows + 1)}`,
    );
    expect([response.status, issues(response)]).toEqual([422, [['csv', 'too_big']]]);
  });
});
