import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

const type = (body: object) => ({ apiName: 'page', name: 'Page', ...body });

describe('201', () => {
  verifies('content/types', 'http/status-of-create-and-delete');

  it('returns the new type with its fields in order and the defaults of both', async () => {
    const desk = await openDesk(app());
    const fields = [
      { apiName: 'headline', type: 'text', required: true },
      { apiName: 'views', type: 'integer' },
      { apiName: 'parts', type: 'blocks' },
    ];
    const { status, body, headers } = await desk.post('/content-types', type({ fields }));
    expect(status).toBe(201);
    expect(headers.location).toBe(`${desk.project.management}/content-types/page`);
    expect(body.data).toMatchObject({
      apiName: 'page',
      displayField: 'headline',
      isPage: false,
      isLocalized: true,
      fieldCount: 3,
      entryCount: 0,
      schemaVersion: 1,
      fields: [
        {
          apiName: 'headline',
          name: 'Headline',
          localized: true,
          required: true,
          isList: false,
          position: 0,
        },
        { apiName: 'views', name: 'Views', localized: false, position: 1 },
        { apiName: 'parts', localized: false, isList: true, position: 2 },
      ],
    });
    expect((await desk.get('/content-types/page')).body.data).toEqual(body.data);
  });

  it('allows a field to reference its own type', async () => {
    const desk = await openDesk(app());
    const fields = [{ apiName: 'parent', type: 'reference', settings: { contentTypes: ['page'] } }];
    expect((await desk.post('/content-types', type({ fields }))).status).toBe(201);
  });

  it('makes translatable fields shared if the type is not localized', async () => {
    const desk = await openDesk(app());
    const fields = [{ apiName: 'title', type: 'text' }];
    const { body } = await desk.post('/content-types', type({ isLocalized: false, fields }));
    expect(body.data.fields[0].localized).toBe(false);
  });

  it('allows the same name in two projects', async () => {
    const [one, two] = [await openDesk(app()), await openDesk(app())];
    expect((await one.post('/content-types', type({}))).status).toBe(201);
    expect((await two.post('/content-types', type({}))).status).toBe(201);
  });
});

describe('409', () => {
  verifies('content/names');

  it.each(['article', 'Article'])('returns 409 for %s, whose GraphQL name is taken', async (apiName) => {
    const desk = await openDesk(app());
    expect(outcome(await desk.post('/content-types', type({ apiName })))).toEqual([409, 'api_name_conflict']);
  });

  it('returns 409 for blog_post beside blogPost, which have the same GraphQL name', async () => {
    const desk = await openDesk(app());
    await desk.post('/content-types', type({ apiName: 'blogPost' }));
    const second = await desk.post('/content-types', type({ apiName: 'blog_post' }));
    expect(outcome(second)).toEqual([409, 'api_name_conflict']);
  });

  it('returns 409 for two fields with the same name', async () => {
    const desk = await openDesk(app());
    const field = { apiName: 'title', type: 'text' };
    const answer = await desk.post('/content-types', type({ fields: [field, field] }));
    expect(outcome(answer)).toEqual([409, 'api_name_conflict']);
  });

  it('accepts one of 20 concurrent requests to create the same type', async () => {
    const desk = await openDesk(app());
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => desk.post('/content-types', type({}))),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });
});

describe('422', () => {
  verifies('content/names', 'http/input-shape');

  it.each(['Query', 'query', 'contentEntry', 'richText', 'JSON', 'newsCollection', 'entry', 'asset'])(
    'returns 422 for the reserved name %s',
    async (apiName) => {
      const desk = await openDesk(app());
      expect(outcome(await desk.post('/content-types', type({ apiName })))).toEqual([
        422,
        'reserved_api_name',
      ]);
    },
  );

  it.each(['', '1st', '_page', 'my-page', 'my page', 'a__b', 'x'.repeat(64), 'héro'])(
    'returns 422 for %p, which is not a GraphQL name',
    async (apiName) => {
      const desk = await openDesk(app());
      const answer = await desk.post('/content-types', type({ apiName }));
      expect(outcome(answer)).toEqual([422, 'validation_failed']);
      expect(issues(answer)[0]?.[0]).toBe('apiName');
    },
  );

  it.each([
    { why: 'a kind that does not exist', field: { type: 'colour' }, path: 'fields.0.type' },
    { why: 'a select without options', field: { type: 'select' }, path: 'fields.0.settings' },
    {
      why: 'an option of another kind',
      field: { type: 'boolean', validations: { min: 1 } },
      path: 'fields.0.validations.min',
    },
    {
      why: 'a pattern that is none',
      field: { type: 'text', validations: { pattern: '(' } },
      path: 'fields.0.validations.pattern',
    },
    {
      why: 'a list that shall be unique',
      field: { type: 'text', isList: true, unique: true },
      path: 'fields.0.unique',
    },
    {
      why: 'a source that is no field',
      field: { type: 'slug', settings: { sourceField: 'nothing' } },
      path: 'fields.0.settings.sourceField',
    },
    {
      why: 'a default of another kind',
      field: { type: 'integer', defaultValue: 'one' },
      path: 'fields.0.defaultValue',
    },
  ])('returns 422 for a field with $why', async ({ field, path }) => {
    const desk = await openDesk(app());
    const answer = await desk.post('/content-types', type({ fields: [{ apiName: 'one', ...field }] }));
    expect(outcome(answer)).toEqual([422, 'validation_failed']);
    expect(issues(answer).map(([at]) => at)).toContain(path);
  });

  it('returns 422 for field names that every object inherits', async () => {
    const desk = await openDesk(app());
    const answer = await desk.post(
      '/content-types',
      type({ fields: [{ apiName: 'constructor', type: 'text' }] }),
    );
    expect(outcome(answer)).toEqual([422, 'reserved_api_name']);
  });

  it('returns 422 for more than 100 fields', async () => {
    const desk = await openDesk(app());
    const fields = Array.from({ length: 101 }, (_, index) => ({
      apiName: `f${String(index)}`,
      type: 'text',
    }));
    expect(outcome(await desk.post('/content-types', type({ fields })))).toEqual([422, 'validation_failed']);
    expect((await desk.post('/content-types', type({ fields: fields.slice(1) }))).status).toBe(201);
  });

  it('returns 422 for a display field that the type does not have', async () => {
    const desk = await openDesk(app());
    const answer = await desk.post('/content-types', type({ displayField: 'title' }));
    expect(issues(answer)).toEqual([['displayField', 'unknown_field']]);
  });
});

describe('404', () => {
  verifies('http/missing-things');

  it('returns 404 with the name of an unknown type in the body', async () => {
    const desk = await openDesk(app());
    const fields = [
      { apiName: 'one', type: 'reference', settings: { contentTypes: ['article', 'nothing'] } },
    ];
    const answer = await desk.post('/content-types', type({ fields }));
    expect(outcome(answer)).toEqual([404, 'content_type_not_found']);
    expect(answer.body.details).toEqual({ path: ['fields', 0, 'settings', 'contentTypes', 1] });
  });
});
