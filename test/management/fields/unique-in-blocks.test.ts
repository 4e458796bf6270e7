import { beforeEach, describe, expect, it } from '@jest/globals';
import { issues, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { publish, type TestEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { first, newPage, openPages, writePage } from './own-blocks.js';

const app = useOwnApp();
let desk: Desk;

beforeEach(async () => {
  desk = await openPages(app());
});

const unique = (isUnique: boolean, name = 'tone') =>
  desk.put(`/content-types/card/fields/${name}`, { unique: isUnique });

const pageWith = (tone: string, where: 'body' | 'parts' = 'body'): Promise<TestEntry> =>
  newPage(desk, { title: 'P', [where]: [{ _type: 'card', fields: { tone } }] });

const publishIn = async (made: TestEntry) => desk.post(`/entries/${made.id}/publish`, {});

describe('a field of a block type that becomes unique', () => {
  verifies('content/fields');

  it('claims the values of published blocks', async () => {
    const held = await pageWith('red');
    await publish(app(), desk.project, held.id);
    expect((await unique(true)).status).toBe(200);
    const other = await pageWith('red', 'parts');
    const answer = await publishIn(other);
    expect(outcome(answer)).toEqual([422, 'entry_invalid']);
    const path = expect.stringMatching(/^fields\.parts\.[^.]+\.fields\.tone$/);
    expect(issues(answer)).toEqual([[path, 'not_unique']]);
    await writePage(desk, held.id, {
      version: 1,
      fields: { body: [{ _ref: first(held.fields, 'body')._ref, fields: { tone: 'blue' } }] },
    });
    expect((await publishIn(held)).status).toBe(200);
    expect((await publishIn(other)).status).toBe(200);
  });

  it('is 409 while blocks of two published entries share a value, in whatever list', async () => {
    const other = await pageWith('red', 'parts');
    for (const { id } of [await pageWith('red'), other]) await publish(app(), desk.project, id);
    expect(outcome(await unique(true))).toEqual([409, 'field_in_use']);
    await desk.post(`/entries/${other.id}/unpublish`, {});
    expect((await unique(true)).status).toBe(200);
    expect((await unique(false)).status).toBe(200);
    expect((await publishIn(other)).status).toBe(200);
  });

  it('ignores unset values and drafts', async () => {
    const made = [await newPage(desk, { parts: [{ _type: 'card', fields: { heading: 'A' } }] })];
    made.push(await newPage(desk, { parts: [{ _type: 'card', fields: { heading: 'B' } }] }));
    for (const { id } of made) await publish(app(), desk.project, id);
    await pageWith('red');
    await pageWith('red');
    expect((await unique(true)).status).toBe(200);
  });
});

describe('the deletion of a blocks field', () => {
  it('releases the unique values of its blocks', async () => {
    await unique(true);
    const held = await pageWith('red');
    await publish(app(), desk.project, held.id);
    expect((await desk.delete('/content-types/page/fields/body?force=true')).status).toBe(200);
    expect((await publishIn(await pageWith('red', 'parts'))).status).toBe(200);
  });
});
