import { beforeAll, describe, expect, it } from '@jest/globals';
import { useApp } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { unique } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { openRights, outcome, type RightsScene } from './scene.js';

const app = useApp();
let scene: RightsScene;
let hidden = '';

const missing = '01900000-0000-7000-8000-000000000000';
const articles = { contentTypes: ['article'] };
const ofArticles = (action: string) => ({ resource: 'entries', action, scope: articles });

const author = async (name: string): Promise<string> =>
  (await createEntry(app(), scene.project, { contentTypeApiName: 'author', fields: { name } })).id;

beforeAll(async () => {
  scene = await openRights(app());
  const key = scene.as(scene.project.keys.management);
  await key('POST /content-types/article/fields', { apiName: 'anything', type: 'reference' });
  await key('POST /content-types/article/fields', { apiName: 'parts', type: 'blocks' });
  hidden = await author('Ada');
});

describe('Links to what a member may not read', () => {
  verifies('access/reading-links');

  it('omits the type of a link to an entry the member cannot read', async () => {
    const as = await scene.member(ofArticles('read'), ofArticles('create'), ofArticles('update'));
    const write = async (fields: object) => {
      const body = { contentTypeApiName: 'article', siteId: scene.project.siteId };
      const made = await as('POST /entries', { ...body, fields: { title: unique(), ...fields } });
      const { id, fields: written } = made.body.data ?? {};
      const title = unique();
      const changed = await as(`PUT /entries/${id}`, { version: 1, fields: { title, ...fields } });
      return [outcome(made), outcome(changed), { ...written, title: '' }];
    };
    for (const link of [{}, { _type: 'article' }, { _type: 'nothing' }]) {
      const [seen, unseen] = [
        await write({ anything: { _ref: hidden, ...link }, parts: [{ _ref: hidden, ...link }] }),
        await write({ anything: { _ref: missing, ...link }, parts: [{ _ref: missing, ...link }] }),
      ];
      expect(JSON.stringify(seen).replaceAll(hidden, missing)).toBe(JSON.stringify(unseen));
      expect(seen[0]).toEqual([201, undefined]);
    }
    const misfit = await write({ related: [{ _ref: hidden }] });
    expect(misfit).toMatchObject([[201], [200], { related: [{ _ref: hidden, _type: 'article' }] }]);
  });

  it('sets the type of such a link at publish, if the field allows it', async () => {
    const as = await scene.member(ofArticles('*'));
    const make = async (fields: object): Promise<string> => {
      const body = { contentTypeApiName: 'article', siteId: scene.project.siteId };
      const made = await as('POST /entries', { ...body, fields: { title: unique(), ...fields } });
      return made.body.data.id as string;
    };
    const good = await make({ anything: { _ref: hidden } });
    expect(outcome(await as(`POST /entries/${good}/publish`, {}))).toEqual([200, undefined]);
    const { body } = await app().request.get(`${scene.project.delivery}/entries/${good}`);
    expect(body.data.fields.anything).toEqual({ _ref: hidden, _type: 'author' });
    const misfit = await make({ related: [{ _ref: hidden }] });
    const refused = await as(`POST /entries/${misfit}/publish`, {});
    expect(outcome(refused)).toEqual([422, 'entry_invalid']);
    expect(refused.body.details.issues).toEqual([
      {
        path: ['fields', 'related'],
        code: 'content_type_not_allowed',
        message: `related does not take entries of the type of ${hidden}.`,
      },
    ]);
  });

  it('shows the published state of an unreadable entry behind a preview link', async () => {
    const shown = await author('Before');
    await publish(app(), scene.project, shown);
    const key = scene.as(scene.project.keys.management);
    await key(`PUT /entries/${shown}`, { version: 1, fields: { name: 'After' } });
    const id = await scene.article({ author: { _ref: shown }, anything: { _ref: hidden } });
    const look = async (caller: typeof key) => {
      const { token } = (await caller(`POST /entries/${id}/preview`, {})).body.data;
      const address = `${scene.project.delivery}/entries/${id}?include=1&previewToken=${token}`;
      return (await app().request.get(address)).body.data.fields;
    };
    const as = await scene.member(ofArticles('read'));
    expect(await look(as)).toMatchObject({
      author: { _id: shown, fields: { name: 'Before' } },
      anything: { _ref: hidden },
    });
    expect(await look(key)).toMatchObject({
      author: { _id: shown, fields: { name: 'After' } },
      anything: { _id: hidden, fields: { name: 'Ada' } },
    });
    const own = (await as(`GET /entries/${id}?include=1`)).body.data.fields;
    expect([own.author._id, own.anything]).toEqual([undefined, { _ref: hidden, _type: 'author' }]);
  });
});

describe('A place in the tree', () => {
  verifies('access/reading-links', 'routing/tree-nodes');

  it('places only entries in the tree that the caller can read', async () => {
    const tree = { resource: 'tree', action: '*' };
    const limited = await scene.member(tree, ofArticles('read'));
    const place = (entryId: string) => limited('POST /tree/nodes', { siteId: scene.project.siteId, entryId });
    const [refused, absent] = [await place(hidden), await place(missing)];
    expect(outcome(refused)).toEqual([404, 'entry_not_found']);
    expect(refused.body).toEqual(absent.body);
    expect(outcome(await place(await scene.article()))).toEqual([201, undefined]);
    const blind = await scene.member(tree);
    const body = { siteId: scene.project.siteId, entryId: await scene.article() };
    expect(outcome(await blind('POST /tree/nodes', body))).toEqual([404, 'entry_not_found']);
    const whole = await scene.member(tree, { resource: 'entries', action: 'read' });
    expect(outcome(await whole('POST /tree/nodes', { ...body, entryId: hidden }))).toEqual([201, undefined]);
  });
});
