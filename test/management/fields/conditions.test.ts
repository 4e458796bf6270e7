import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Field } from '../../../contracts/content/fields/field.js';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { branchOf } from '../../support/factories/branch.js';
import { createEntry, createType, type TestEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
let desk: Desk;

const layout = {
  apiName: 'layout',
  type: 'select',
  localized: false,
  settings: { options: [{ value: 'plain' }, { value: 'wide' }, { value: 'full' }] },
};
const isWide = [{ field: 'layout', in: ['wide', 'full'] }];

/** A banner is shown with a wide layout, and then required; its caption is required beside a link. */
const fields = [
  { apiName: 'title', type: 'text' },
  layout,
  {
    apiName: 'banner',
    type: 'text',
    required: true,
    settings: { visibleWhen: isWide },
    validations: { minLength: 5 },
  },
  { apiName: 'link', type: 'url', localized: false },
  { apiName: 'caption', type: 'text', validations: { requiredWhen: [{ field: 'link', exists: true }] } },
];

beforeAll(async () => {
  desk = await openDesk(app());
  await createType(app(), desk.project, { apiName: 'teaser', fields });
  await createType(app(), desk.project, { apiName: 'panel', isBlock: true, fields });
  await createType(app(), desk.project, {
    apiName: 'page',
    fields: [{ apiName: 'panels', type: 'blocks', localized: false, settings: { contentTypes: ['panel'] } }],
  });
});

async function refusals(
  values: Record<string, unknown>,
  contentTypeApiName = 'teaser',
): Promise<[string, string][]> {
  const { id } = await createEntry(app(), desk.project, { contentTypeApiName, fields: values });
  const response = await desk.post(`/entries/${id}/publish`, {});
  return response.status === 200 ? [] : issues(response);
}

const fieldOf = async (type: string, name: string): Promise<Field> =>
  (await desk.get(`/content-types/${type}/fields/${name}`)).body.data as Field;

describe('A field with visibleWhen', () => {
  verifies('content/conditions');

  it('is required while the condition holds', async () => {
    expect(await refusals({ layout: 'wide' })).toEqual([['fields.banner', 'required']]);
    expect(await refusals({ layout: 'full', banner: 'ab' })).toEqual([['fields.banner', 'too_short']]);
    expect(await refusals({ layout: 'full', banner: 'A long one' })).toEqual([]);
  });

  it('is neither required nor validated while it does not, and keeps its value', async () => {
    expect(await refusals({ layout: 'plain' })).toEqual([]);
    expect(await refusals({})).toEqual([]);
    const values = { layout: 'plain', banner: 'ab' };
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'teaser', fields: values });
    expect(outcome(await desk.post(`/entries/${id}/publish`, {}))).toEqual([200, undefined]);
    const { body } = await app().request.get(`${desk.project.delivery}/entries/${id}`);
    expect(body.data.fields).toMatchObject(values);
  });

  it('depends on the fields of the block that has it', async () => {
    const panels = [
      { _type: 'panel', fields: { layout: 'plain' } },
      { _type: 'panel', fields: { layout: 'wide' } },
    ];
    const { id, fields: stored } = (await createEntry(app(), desk.project, {
      contentTypeApiName: 'page',
      fields: { panels },
    })) as TestEntry & { fields: { panels: { _ref: string }[] } };
    const refused = issues(await desk.post(`/entries/${id}/publish`, {}));
    expect(refused).toEqual([[`fields.panels.${stored.panels[1]?._ref ?? ''}.fields.banner`, 'required']]);
  });
});

describe('A field with requiredWhen', () => {
  verifies('content/conditions');

  it('is required only while the condition holds', async () => {
    expect(await refusals({ title: 'Plain' })).toEqual([]);
    const link = 'https://example.com';
    expect(await refusals({ link })).toEqual([['fields.caption', 'required']]);
    expect(await refusals({ link, caption: ' ' })).toEqual([['fields.caption', 'required']]);
    expect(await refusals({ link, caption: 'See' })).toEqual([]);
  });

  it.each([
    ['eq', { field: 'kind', eq: 'a' }, [{ kind: 'a' }], [{ kind: 'b' }, {}]],
    ['ne', { field: 'kind', ne: 'a' }, [{ kind: 'b' }, {}], [{ kind: 'a' }]],
    ['in', { field: 'count', in: [1, 2] }, [{ count: 2 }], [{ count: 3 }, {}]],
    ['exists', { field: 'tags', exists: false }, [{}, { tags: [] }], [{ tags: ['x'] }]],
    ['eq in a list', { field: 'tags', eq: 'x' }, [{ tags: ['y', 'x'] }], [{ tags: ['y'] }, {}]],
    ['eq of no', { field: 'open', eq: false }, [{ open: false }], [{ open: true }, {}]],
  ] as const)('compares by %s', async (what, test, holding, others) => {
    const contentTypeApiName = `compared_${what.replaceAll(' ', '_')}`;
    await createType(app(), desk.project, {
      apiName: contentTypeApiName,
      fields: [
        { apiName: 'kind', type: 'text' },
        { apiName: 'count', type: 'integer' },
        { apiName: 'tags', type: 'text', isList: true },
        { apiName: 'open', type: 'boolean' },
        { apiName: 'note', type: 'text', validations: { requiredWhen: [test] } },
      ],
    });
    for (const values of holding)
      expect(await refusals(values, contentTypeApiName)).toEqual([['fields.note', 'required']]);
    for (const values of others) expect(await refusals(values, contentTypeApiName)).toEqual([]);
  });
});

describe('A condition', () => {
  verifies('content/conditions');

  it.each([
    [
      'an unknown field',
      [{ field: 'missing', exists: true }],
      'settings.visibleWhen.0.field',
      'unknown_field',
    ],
    ['its own field', [{ field: 'banner', exists: true }], 'settings.visibleWhen.0.field', 'own_field'],
    [
      'a value that the field cannot have',
      [{ field: 'layout', eq: 'round' }],
      'settings.visibleWhen.0.eq',
      'unknown_option',
    ],
    ['a value of another type', [{ field: 'title', eq: 4 }], 'settings.visibleWhen.0.eq', 'invalid_type'],
    ['two comparisons', [{ field: 'title', eq: 'a', exists: true }], 'settings.visibleWhen.0', 'custom'],
    ['no comparison', [{ field: 'title' }], 'settings.visibleWhen.0', 'custom'],
    ['nothing', [], 'settings.visibleWhen', 'too_small'],
    ['null in place of a test', [null], 'settings.visibleWhen.0', 'invalid_type'],
  ])('with %s is refused', async (_what, visibleWhen, path, code) => {
    const refused = await desk.put('/content-types/teaser/fields/banner', { settings: { visibleWhen } });
    expect(outcome(refused)).toEqual([422, 'validation_failed']);
    expect(issues(refused)).toEqual([[path, code]]);
  });

  it('on a text or a location is tested for a value only', async () => {
    await createType(app(), desk.project, {
      apiName: 'place',
      fields: [
        { apiName: 'spot', type: 'location' },
        { apiName: 'name', type: 'text' },
      ],
    });
    const put = (visibleWhen: object[]) =>
      desk.put('/content-types/place/fields/name', { settings: { visibleWhen } });
    expect(issues(await put([{ field: 'spot', eq: 'here' }]))).toEqual([
      ['settings.visibleWhen.0.eq', 'not_comparable'],
    ]);
    expect(outcome(await put([{ field: 'spot', exists: true }]))).toEqual([200, undefined]);
  });

  it('follows the rename of the field that it names, and ends with it', async () => {
    await createType(app(), desk.project, { apiName: 'renamed', fields });
    await desk.post('/content-types/renamed/fields/layout/rename', { apiName: 'shape' });
    await desk.post('/content-types/renamed/fields/link/rename', { apiName: 'target' });
    expect((await fieldOf('renamed', 'banner')).settings).toEqual({
      visibleWhen: [{ field: 'shape', in: ['wide', 'full'] }],
    });
    expect((await fieldOf('renamed', 'caption')).validations).toEqual({
      requiredWhen: [{ field: 'target', exists: true }],
    });
    await desk.delete('/content-types/renamed/fields/shape');
    expect((await fieldOf('renamed', 'banner')).settings).toEqual({});
  });
});

describe('Conditions in schemas and environments', () => {
  verifies('content/conditions', 'environments/schema');

  const schemaOf = async () =>
    ((await desk.get('/schema/export')).body.data as { schema: { contentTypes: { apiName: string }[] } })
      .schema;

  it('are applied with fields that come later in the document, and exported as they were', async () => {
    await createType(app(), desk.project, { apiName: 'grown', fields: [{ apiName: 'title', type: 'text' }] });
    const grown = {
      apiName: 'grown',
      name: 'Grown',
      fields: [
        { apiName: 'title', type: 'text', validations: { requiredWhen: [{ field: 'layout', eq: 'wide' }] } },
        fields[2],
        layout,
      ],
    };
    const others = (await schemaOf()).contentTypes.filter(({ apiName }) => apiName !== 'grown');
    const applied = await desk.post('/schema/apply', { schema: { contentTypes: [...others, grown] } });
    expect(outcome(applied)).toEqual([200, undefined]);
    expect((await fieldOf('grown', 'banner')).settings).toEqual({ visibleWhen: isWide });
    const exported = (await schemaOf()).contentTypes.find(({ apiName }) => apiName === 'grown');
    const { localized: _localized, ...last } = layout;
    expect(exported).toMatchObject({ fields: [...grown.fields.slice(0, 2), last] });
  });

  it('are promoted under the names that fields have in the target', async () => {
    const branch = await branchOf(app(), desk.project);
    const inBranch = desk.as(branch.keys.management);
    await inBranch.put('/content-types/teaser/fields/caption', {
      validations: { requiredWhen: [{ field: 'layout', eq: 'wide' }] },
    });
    await inBranch.post('/content-types/teaser/fields/layout/rename', { apiName: 'form' });
    const promoted = await desk.post(`/environments/${branch.environment}/promote`, {
      target: 'main',
      mode: 'full',
    });
    expect(outcome(promoted)).toEqual([200, undefined]);
    expect((await fieldOf('teaser', 'caption')).validations).toEqual({
      requiredWhen: [{ field: 'form', eq: 'wide' }],
    });
    expect((await fieldOf('teaser', 'banner')).settings).toEqual({
      visibleWhen: [{ field: 'form', in: ['wide', 'full'] }],
    });
  });
});
