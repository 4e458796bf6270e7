import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { send } from '../support/call.js';
import { useOwnApp } from '../support/desk.js';
import { exampleOf, restCall, restOperations, rightKey } from '../support/operations.js';
import { openScene, type Scene } from '../support/scene.js';
import { describedAs, document } from './described.js';

type Body = Record<string, unknown>;

const json = 'application/json';
const ajv = new Ajv2020({ strict: false });
(addFormatsModule as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema(JSON.parse(JSON.stringify(document)) as object, 'document');

const app = useOwnApp();
let scene: Scene;
beforeAll(async () => {
  scene = await openScene(app());
});

const schemaOf = (name: string): Body | undefined => describedAs(name)?.requestBody?.content[json]?.schema;

function validatorOf(name: string): ValidateFunction {
  const text = JSON.stringify(schemaOf(name)).replaceAll('"#/components', '"document#/components');
  return ajv.compile(JSON.parse(text) as object);
}

/** What the schema and the service say about a body made from that of a valid call. */
async function verdictsOf(name: string, bodyOf: (valid: Body) => Body) {
  const found = restOperations.find((one) => one.name === name);
  if (found === undefined) throw new Error(`REST does not serve ${name}`);
  const { operation, rest } = found;
  const call = restCall(rest, await exampleOf(operation)(scene));
  const given = bodyOf(call.body as Body);
  const { status, body } = await send(app(), { ...call, key: await rightKey(scene, operation), body: given });
  const validate = validatorOf(name);
  return { schema: validate(given), status, error: (body as { error?: string }).error };
}

const requiredKeys = ({ required = [] }: Body): string[] => required as string[];

const needsMore = restOperations
  .map(({ name }) => name)
  .filter((name) => schemaOf(name)?.minProperties !== undefined);

describe('A body of an operation that needs something to change', () => {
  it('is described for updates', () => {
    expect(needsMore.length).toBeGreaterThan(20);
  });

  it.each(needsMore)('of %s is refused by schema and service without it', async (name) => {
    const required = requiredKeys(schemaOf(name) ?? {});
    const only = (valid: Body) => Object.fromEntries(required.map((key) => [key, valid[key]]));
    expect(await verdictsOf(name, only)).toEqual({
      schema: false,
      status: 422,
      error: expect.stringMatching(/^(?:no_update_fields|validation_failed)$/),
    });
  });
});

const id = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
const field = { apiName: 'shown', name: 'Shown', type: 'text' };
const showIf = (test: object) => (valid: Body) => ({ ...valid, ...field, visibleIf: [test] });
const editor = (given: object) => (valid: Body) => ({ ...valid, apiName: 'colour', editor: given });

const refused: readonly [what: string, name: string, body: (valid: Body) => Body][] = [
  ['both ids and all', 'notifications.markRead', () => ({ ids: [id], all: true })],
  [
    'items of a full promotion',
    'promotions.promote',
    () => ({ mode: 'full', items: [{ kind: 'entry', id }] }),
  ],
  ['a choice without items', 'promotions.promote', () => ({ mode: 'cherryPick' })],
  [
    'locales of an item that has none',
    'promotions.promote',
    () => ({ mode: 'cherryPick', items: [{ kind: 'redirect', id, locales: ['en'] }] }),
  ],
  ['two places', 'tree.moveNode', (valid) => ({ ...valid, position: 0, beforeId: id })],
  [
    'two siblings',
    'tree.moveNode',
    (valid) => ({ ...valid, position: undefined, beforeId: id, afterId: id }),
  ],
  ['a page without an entry', 'tree.createNode', () => ({ type: 'page', name: 'Harbour' })],
  ['a link without a name', 'tree.createNode', () => ({ type: 'link', url: 'https://example.com' })],
  ['neither entries nor a filter', 'translations.startExport', () => ({ targetLocale: 'de' })],
  [
    'entries and a filter',
    'translations.startExport',
    () => ({ targetLocale: 'de', entryIds: [id], filter: { status: ['missing'] } }),
  ],
  ['a condition without a comparison', 'fields.create', showIf({ field: 'title' })],
  ['a condition with two comparisons', 'fields.create', showIf({ field: 'title', eq: 'a', ne: 'b' })],
  ['a name with two underscores', 'fields.create', () => ({ ...field, apiName: 'a__b' })],
  ['a frame without a URL', 'customFieldTypes.create', editor({ kind: 'iframe' })],
  [
    'a period with a length and a start',
    'customReports.create',
    (valid) => ({
      ...valid,
      range: { days: 7, from: '2026-01-01T00:00:00Z' },
    }),
  ],
  ['a folder with a slash', 'mediaFolders.create', (valid) => ({ ...valid, name: 'a/b' })],
  ['a comment of spaces', 'entries.createComment', (valid) => ({ ...valid, text: '  ' })],
];

describe('A condition between the keys of a body', () => {
  it.each(refused)('refuses %s, in the schema and in the service (%s)', async (_what, name, body) => {
    expect(await verdictsOf(name, body)).toEqual({ schema: false, status: 422, error: 'validation_failed' });
  });

  const names = [...new Set(refused.map(([, name]) => name))];
  it.each(names)('accepts a valid body of %s', async (name) => {
    const { schema, status } = await verdictsOf(name, (valid) => valid);
    expect([schema, status < 300]).toEqual([true, true]);
  });
});
