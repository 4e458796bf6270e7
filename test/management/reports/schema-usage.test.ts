import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDesk, useApp, type Desk } from '../../support/desk.js';
import { createEntry, paragraphs } from '../../support/factories/content.js';
import { fc } from '../../support/properties.js';
import { sessionWith } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

interface Usage {
  readonly summary: Record<string, number>;
  readonly rows: {
    readonly contentTypeApiName: string;
    readonly entries: number;
    readonly published: number;
    readonly drafts: number;
    readonly lastUpdatedAt: string | null;
    readonly fields: { apiName: string; filled: number; fillRate: number; unused: boolean }[];
  }[];
}

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(app());
});

const read = async (query = ''): Promise<Usage> =>
  ((await desk.get(`/reports/schema-usage${query}`)).body as { data: Usage }).data;

describe('GET reports/schema-usage', () => {
  verifies('reports/schema-usage');

  it('equals a recount of the entries', async () => {
    const made: { id: string; hasBody: boolean; isPublished: boolean; isDeleted: boolean }[] = [];
    const property = fc.asyncProperty(
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      async (hasBody, isPublished, isDeleted) => {
        const fields = { title: 'Lock', ...(hasBody && { body: paragraphs('Upper') }) };
        const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });
        if (isPublished) expect((await desk.post(`/entries/${id}/publish`, {})).status).toBe(200);
        if (isDeleted) expect((await desk.delete(`/entries/${id}`)).status).toBe(200);
        made.push({ id, hasBody, isPublished, isDeleted });
        const kept = made.filter((one) => !one.isDeleted);
        const { rows } = await read('?contentTypeApiName=article');
        const [row] = rows;
        expect(rows).toHaveLength(1);
        expect(row).toMatchObject({
          entries: kept.length,
          published: kept.filter((one) => one.isPublished).length,
          drafts: kept.filter((one) => !one.isPublished).length,
        });
        const filled = kept.filter((one) => one.hasBody).length;
        expect(row?.fields.find(({ apiName }) => apiName === 'body')).toMatchObject({
          filled,
          unused: filled === 0,
        });
      },
    );
    await fc.assert(property, { numRuns: 6 });
  });

  it('shows only the types whose definition or entries the role may read', async () => {
    const types = async (grant: { resource: string; action: string; scope?: object }) => {
      const grants = [{ resource: 'reports', action: 'read' }, grant];
      const member = desk.as(await sessionWith(app(), desk.project, grants));
      const { body } = await member.get('/reports/schema-usage');
      return (body as { data: Usage }).data.rows.map((row) => row.contentTypeApiName).sort();
    };
    const scope = { contentTypes: ['author'] };
    expect(await types({ resource: 'entries', action: 'read', scope })).toEqual(['author']);
    expect(await types({ resource: 'contentTypes', action: 'read', scope })).toEqual(['author']);
    expect(await types({ resource: 'contentTypes', action: 'read' })).toEqual(['article', 'author']);
    expect(await types({ resource: 'sites', action: 'read' })).toEqual([]);
  });
});
