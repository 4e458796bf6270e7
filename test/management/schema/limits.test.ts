import { beforeAll, describe, expect, it } from '@jest/globals';
import { must } from '../../support/call.js';
import { createArticleTypes, createType } from '../../support/factories/content.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { SchemaProject } from './schema-project.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let project: TestProject;
let schema: SchemaProject;

beforeAll(async () => {
  project = await createProject(app());
  schema = new SchemaProject(app(), project);
  await createArticleTypes(app(), project);
});

const makeKey = async (body: object): Promise<SchemaProject> => {
  const key = { type: 'management', ...body };
  const { secret } = await must<{ secret: string }>(app(), {
    method: 'POST',
    path: `${project.management}/api-keys`,
    key: project.keys.management,
    body: { name: 'limited', ...key },
  });
  return new SchemaProject(app(), project, secret);
};

const kind = (apiName: string, ...fields: object[]) => ({ apiName, name: 'Kind', fields });
const text = (apiName: string, more: object = {}) => ({ apiName, type: 'text', ...more });

describe('Rights', () => {
  verifies('environments/schema-destructive');

  it('a key that reads only plans, and each step of an apply needs its permission', async () => {
    const reader = await makeKey({ permissions: ['read'] });
    const document = await reader.export();
    const changed = { contentTypes: [...(document.contentTypes ?? []), kind('note')] };
    expect((await reader.plan(changed)).steps).toHaveLength(1);
    const refused = await reader.send('POST', '/schema/apply', { schema: changed });
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { error: 'permission_denied', details: { resource: 'contentTypes', action: 'create' } },
    ]);
    const updater = await makeKey({ permissions: ['read', 'update'] });
    expect((await updater.send('POST', '/schema/apply', { schema: changed })).status).toBe(403);
    const roles = [{ slug: 'press', name: 'Press' }];
    expect((await updater.send('POST', '/schema/apply', { schema: { roles } })).body.details).toEqual({
      resource: 'roles',
      action: 'create',
    });
  });

  it('a key that must confirm gets a preview and a token first', async () => {
    const careful = await makeKey({ requireConfirmation: true });
    const refused = await careful.send('POST', '/schema/apply', {
      schema: { roles: [{ slug: 'desk', name: 'Desk' }] },
    });
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        error: 'confirmation_required',
        details: { preview: { changes: [{ action: 'role.create' }, { action: 'schema.apply' }] } },
      },
    ]);
    expect((await schema.export()).roles).toEqual([]);
  });
});

describe('Environments', () => {
  it('have separate schemas, and a protected one asks every key for confirmation', async () => {
    const whole = new SchemaProject(app(), await createProject(app()));
    await createArticleTypes(app(), whole.project);
    await whole.must('POST', '/environments', { slug: 'next', name: 'Next', copyContent: false });
    const next = new SchemaProject(app(), whole.project, whole.key, 'next');
    const before = await whole.export();
    expect(await next.export()).toEqual(before);
    const changed = { contentTypes: [...(before.contentTypes ?? []), kind('note', text('x'))] };
    const { applyId } = await next.apply(changed);
    expect(await whole.export()).toEqual(before);
    expect((await whole.send('POST', '/schema/undo', { applyId })).status).toBe(404);
    await next.must('POST', '/schema/undo', { applyId });
    await whole.must('PUT', '/environments/next', { isProtected: true });
    const refused = await next.send('POST', '/schema/apply', { schema: changed });
    expect([refused.status, refused.body.error]).toEqual([409, 'confirmation_required']);
    expect(await next.export()).toEqual(before);
  });
});

describe('Invalid documents', () => {
  const types = (...contentTypes: object[]) => ({ contentTypes });

  it.each([
    ['two types of one name', types(kind('a'), kind('a')), 'validation_failed'],
    ['two fields of one name', types(kind('a', text('x'), text('x'))), 'validation_failed'],
    [
      'a former name that is listed',
      types(kind('article'), { ...kind('b'), renamedFrom: 'article' }),
      'validation_failed',
    ],
    [
      'one former name of two types',
      types({ ...kind('b'), renamedFrom: 'x' }, { ...kind('c'), renamedFrom: 'x' }),
      'validation_failed',
    ],
    ['a NUL', types(kind('a', text('x', { description: 'a\u0000b' }))), 'validation_failed'],
    ['an inherited name of a field', types(kind('a', text('constructor'))), 'reserved_api_name'],
    [
      'an inherited name as a key',
      JSON.parse('{"__proto__": {"contentTypes": []}}') as object,
      'validation_failed',
    ],
    ['a reserved type', types(kind('query')), 'reserved_api_name'],
    [
      'a slow pattern',
      types(kind('a', text('x', { validations: { pattern: '(?=a)b' } }))),
      'validation_failed',
    ],
    [
      'an unknown target',
      types(kind('a', { apiName: 'x', type: 'reference', settings: { contentTypes: ['b'] } })),
      'content_type_not_found',
    ],
    [
      'an unknown custom type',
      types(kind('a', { apiName: 'x', type: 'custom', settings: { customFieldType: 'b' } })),
      'custom_field_type_not_found',
    ],
    [
      'an invalid JSON Schema',
      { customFieldTypes: [{ apiName: 'm', name: 'M', jsonSchema: { type: 'nothing' } }] },
      'validation_failed',
    ],
    ['no default workflow', { workflows: [] }, 'validation_failed'],
    [
      'too many types',
      types(...Array.from({ length: 1001 }, (_, index) => kind(`t${String(index)}`))),
      'validation_failed',
    ],
  ])('with %s are refused by plan and apply alike', async (_what, document, code) => {
    const before = await schema.traces();
    for (const path of ['/schema/plan', '/schema/apply']) {
      const { body } = await schema.send('POST', path, {
        schema: document,
        ...(path.endsWith('apply') && { allowDestructive: true }),
      });
      expect([path, body.error]).toEqual([path, code]);
    }
    expect(await schema.traces()).toEqual(before);
  });
});

describe('An apply', () => {
  it('names the place in the document where an operation fails', async () => {
    const states = [
      { key: 'draft', name: 'Draft', isInitial: true },
      { key: 'lost', name: 'Lost' },
    ];
    const { body } = await schema.send('POST', '/schema/apply', {
      schema: { workflows: [{ slug: 'default', name: 'Default', isDefault: true, states }] },
    });
    expect(body).toMatchObject({
      error: 'validation_failed',
      details: { issues: [{ path: ['schema', 'workflows', 'default', 'states', 1] }] },
    });
  });
});

describe('An export', () => {
  it('of more content types than a document may have is refused', async () => {
    const large = new SchemaProject(app(), await createProject(app()));
    const { projectId, tenantId } = large.project;
    await app().rows(
      tenantId,
      `INSERT INTO content_types (tenant_id, environment_id, id, api_name, type_name, name, is_page, is_block, is_singleton,
         is_localized, created_at, updated_at)
       SELECT tenant_id, environment_id, gen_random_uuid(), 't' || n, 'T' || n, 'T', false, false, false, true, now(), now()
       FROM environment_heads, generate_series(1, 1001) AS n WHERE project_id = $1`,
      [projectId],
    );
    const refused = await large.send('GET', '/schema/export');
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { error: 'limit_reached', details: { limit: 1000 } },
    ]);
  });
});

describe('Cost', () => {
  it('an unchanged document is applied without a statement that writes', async () => {
    const document = await schema.export();
    const { statements } = await app().recordStatements(() => schema.apply(document));
    expect(
      statements.filter((sql) => /\b(INSERT|UPDATE|DELETE)\b/.test(sql) && !sql.includes('api_key')),
    ).toEqual([]);
  });

  it('a plan reads a larger schema with the same number of statements', async () => {
    const count = async () => {
      const document = await schema.export();
      return (await app().recordStatements(() => schema.plan(document))).statements.length;
    };
    const before = await count();
    for (const name of ['one', 'two', 'three'])
      await createType(app(), project, kind(name, text('x'), text('y')));
    expect(await count()).toBe(before);
  });
});

describe('Two applies at once', () => {
  it('take turns, so that the second finds the schema of the first', async () => {
    const document = await schema.export();
    const changed = { contentTypes: [...(document.contentTypes ?? []), kind('parallel', text('x'))] };
    const [first, second] = await Promise.all([schema.apply(changed), schema.apply(changed)]);
    expect([first.applyId, second.applyId].filter((id) => id !== null)).toHaveLength(1);
  });
});
