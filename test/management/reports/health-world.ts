import type { Desk } from '../../support/desk.js';
import { createType, paragraphs } from '../../support/factories/content.js';
import { uploadAsset } from '../../support/factories/media.js';
import { fc } from '../../support/properties.js';

/** An entry and what happens to it. */
export interface Plan {
  readonly type: 'story' | 'note' | 'page' | 'part';
  readonly title: string | null;
  readonly body: object | null;
  readonly hasSku: boolean;
  readonly cover: 'none' | 'described' | 'bare' | 'missing';
  /** An earlier entry, by its distance. */
  readonly link: number;
  readonly german: string | null;
  /** Days since it was published. */
  readonly age: number | null;
  /** Days since it was changed after that. */
  readonly drift: number | null;
  readonly isDeleted: boolean;
  readonly leavesTree: boolean;
}

const documents = [
  null,
  paragraphs('Upper'),
  paragraphs('\u00a0 '),
  { type: 'doc', content: [{ type: 'paragraph' }] },
];

export const plan = fc.record<Plan>({
  type: fc.constantFrom('story', 'story', 'note', 'page', 'part'),
  title: fc.constantFrom('Lock', 'Gate', 'Weir', ' \t', null),
  body: fc.constantFrom(paragraphs('Upper'), ...documents),
  hasSku: fc.boolean(),
  cover: fc.constantFrom('none', 'described', 'bare', 'missing'),
  link: fc.integer({ min: 0, max: 4 }),
  german: fc.constantFrom('Schleuse', 'Tor', '', null, null),
  age: fc.constantFrom(null, 0, 100, 200),
  drift: fc.constantFrom(null, 10, 40),
  isDeleted: fc.constantFrom(false, false, false, true),
  leavesTree: fc.boolean(),
});

const missingId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5aff';
const title = { apiName: 'title', type: 'text', required: true };

export async function createHealthTypes({ app, project }: Desk): Promise<void> {
  await createType(app, project, { apiName: 'part', isBlock: true, fields: [title] });
  await createType(app, project, {
    apiName: 'story',
    fields: [
      title,
      { apiName: 'body', type: 'richText', required: true },
      { apiName: 'sku', type: 'text', required: true, localized: false },
      { apiName: 'cover', type: 'media' },
      { apiName: 'links', type: 'reference', isList: true, localized: false },
      { apiName: 'parts', type: 'blocks', required: true },
    ],
  });
  await createType(app, project, { apiName: 'note', fields: [title] });
  await createType(app, project, { apiName: 'page', isPage: true, fields: [title] });
}

export interface Made {
  readonly id: string;
  readonly type: Plan['type'];
}

async function fieldsOf(desk: Desk, one: Plan, earlier: readonly Made[]): Promise<object> {
  const fields = { ...(one.title !== null && { title: one.title }) };
  if (one.type !== 'story') return fields;
  const cover = one.cover === 'missing' ? missingId : await coverOf(desk, one.cover);
  const linked = earlier[earlier.length - one.link];
  const key = linked?.type === 'part' ? 'parts' : 'links';
  return {
    ...fields,
    ...(one.body !== null && { body: one.body }),
    ...(one.hasSku && { sku: 'A-1' }),
    ...(cover !== null && { cover: { _ref: cover } }),
    ...(linked !== undefined && { [key]: [{ _ref: linked.id }] }),
  };
}

async function coverOf({ app, project }: Desk, cover: 'none' | 'described' | 'bare'): Promise<string | null> {
  if (cover === 'none') return null;
  return (await uploadAsset(app, project, cover === 'described' ? { altText: 'A lock' } : {})).id;
}

async function make(desk: Desk, one: Plan, earlier: readonly Made[]): Promise<Made> {
  const body = {
    contentTypeApiName: one.type,
    siteId: desk.project.siteId,
    fields: await fieldsOf(desk, one, earlier),
  };
  const made = await desk.post('/entries', body);
  if (made.status !== 201) throw new Error(made.text);
  const { id, treeNodeId } = made.body.data as { id: string; treeNodeId: string | null };
  const at = async (): Promise<object> => {
    const { version } = (await desk.get(`/entries/${id}`)).body.data as { version: number };
    return { version };
  };
  if (one.german !== null)
    await desk.put(`/entries/${id}`, { ...(await at()), locale: 'de', fields: { title: one.german } });
  if (one.age !== null)
    for (const locale of ['en', 'de']) await desk.post(`/entries/${id}/publish`, { locale });
  if (one.drift !== null)
    await desk.put(`/entries/${id}`, { ...(await at()), fields: { title: `${one.title ?? ''} again` } });
  if (one.age !== null && one.drift !== null && one.hasSku)
    await desk.post(`/entries/${id}/publish`, { locale: 'en' });
  if (one.leavesTree && treeNodeId !== null) await desk.delete(`/tree/nodes/${treeNodeId}`);
  if (one.isDeleted) await desk.delete(`/entries/${id}`);
  await age(desk, id, one);
  return { id, type: one.type };
}

/** Moves what happened into the past. */
async function age({ app, project }: Desk, id: string, { age: days, drift }: Plan): Promise<void> {
  const run = (sql: string, past: number): Promise<object[]> =>
    app.rows(project.tenantId, sql, [id, String(past)]);
  if (drift !== null)
    await run(
      `UPDATE entry_versions v SET created_at = now() - ($2 || ' days')::interval FROM entries e
       WHERE v.entry_id = $1 AND e.id = v.entry_id AND v.version_num = e.version`,
      drift,
    );
  if (days !== null)
    await run(
      `UPDATE entry_locales SET published_at = now() - ($2 || ' days')::interval
       WHERE entry_id = $1 AND published_at IS NOT NULL`,
      days,
    );
}

/** @param after runs after each entry */
export async function makeAll(
  desk: Desk,
  plans: readonly Plan[],
  after: (position: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<Made[]> {
  const made: Made[] = [];
  for (const [position, one] of plans.entries()) {
    made.push(await make(desk, one, made));
    await after(position);
  }
  return made;
}
