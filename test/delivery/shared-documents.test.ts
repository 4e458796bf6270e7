import { describe, expect, it } from '@jest/globals';
import {
  SharedDocuments,
  type DocumentSource,
  type StoredDocument,
} from '../../src/features/publishing/delivery/index.js';
import { waitFor } from '../support/wait-for.js';

interface Statement {
  readonly ids: readonly string[];
  readonly locales: readonly string[];
  answer(): void;
  fail(): void;
}

/** Documents whose statements are answered by the test. */
function heldSource(): { documents: SharedDocuments; statements: Statement[] } {
  const statements: Statement[] = [];
  const source = {
    isPreview: false,
    byIds: (ids: readonly string[], locales: readonly string[]) =>
      new Promise<StoredDocument[]>((resolve, reject) => {
        const answer = (): void => {
          resolve(ids.map((id) => ({ id }) as StoredDocument));
        };
        const fail = (): void => {
          reject(new Error('lost'));
        };
        statements.push({ ids, locales, answer, fail });
      }),
  };
  return { documents: new SharedDocuments(source as unknown as DocumentSource), statements };
}

const idsOf = async (found: Promise<StoredDocument[]>): Promise<string[]> =>
  (await found).map(({ id }) => id);
const count = (statements: readonly Statement[], expected: number) =>
  waitFor(`${String(expected)} statements`, () => statements.length === expected);

describe('Reads by id of concurrent requests', () => {
  it('share a statement in one turn, and each finds its own documents', async () => {
    const { documents, statements } = heldSource();
    const found = [documents.byIds(['a', 'b'], ['en']), documents.byIds(['b', 'c'], ['en'])];
    const other = documents.byIds(['a'], ['de']);
    await count(statements, 2);
    expect(statements.map(({ ids, locales }) => [ids, locales])).toEqual([
      [['a', 'b', 'c'], ['en']],
      [['a'], ['de']],
    ]);
    for (const { answer } of statements) answer();
    expect(await Promise.all(found.map(idsOf))).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ]);
    expect(await idsOf(other)).toEqual(['a']);
  });

  it('gather while two statements run, however they end', async () => {
    const { documents, statements } = heldSource();
    const first = idsOf(documents.byIds(['a'], ['en'])).catch(() => 'lost');
    await count(statements, 1);
    const second = idsOf(documents.byIds(['b'], ['en']));
    await count(statements, 2);
    const later = ['c', 'd'].map((id) => idsOf(documents.byIds([id], ['en'])));
    statements[0]?.fail();
    await count(statements, 3);
    expect(statements[2]?.ids).toEqual(['c', 'd']);
    for (const { answer } of statements) answer();
    expect(await Promise.all([first, second, ...later])).toEqual(['lost', ['b'], ['c'], ['d']]);
  });

  it('do not wait for statements that are not answered', async () => {
    const { documents, statements } = heldSource();
    const found: Promise<string[]>[] = [];
    for (const id of ['a', 'b', 'c', 'd']) {
      found.push(idsOf(documents.byIds([id], ['en'])));
      await count(statements, found.length);
    }
    for (const { answer } of statements) answer();
    expect(await Promise.all(found)).toEqual([['a'], ['b'], ['c'], ['d']]);
  });
});
