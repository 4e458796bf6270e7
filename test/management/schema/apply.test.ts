import { beforeEach, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import {
  createArticleTypes,
  createEntry,
  createType,
  publish,
  type TestEntry,
} from '../../support/factories/content.js';
import { createFolder } from '../../support/factories/tree.js';
import { createProject } from '../../support/factories/project.js';
import { createMember, createRole } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { SchemaProject } from './schema-project.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let schema: SchemaProject;

beforeEach(async () => {
  schema = new SchemaProject(app(), await createProject(app()));
  await createArticleTypes(app(), schema.project);
});

interface WrittenType {
  apiName: string;
  name: string;
  renamedFrom?: string;
  fields: { apiName: string; name?: string; type: string; renamedFrom?: string; [key: string]: unknown }[];
}

/** The content types of the project, to change and apply. */
const types = async (): Promise<WrittenType[]> =>
  ((await schema.export()).contentTypes ?? []) as unknown as WrittenType[];

const typeOf = (list: readonly WrittenType[], apiName: string): WrittenType =>
  list.find((type) => type.apiName === apiName) ?? { apiName, name: '', fields: [] };

async function article(fields: object): Promise<TestEntry> {
  const made = { contentTypeApiName: 'article', fields: { ...fields } };
  return createEntry(app(), schema.project, made);
}

const read = (id: string) => schema.must<TestEntry>('GET', `/entries/${id}`);

describe('GET schema/export', () => {
  verifies('environments/schema');

  it('has names only, in JSON and YAML, without keys that have their default', async () => {
    const exported = await schema.export();
    expect(JSON.stringify(exported)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(exported.contentTypes).toEqual([
      {
        apiName: 'article',
        name: 'Type',
        displayField: 'title',
        fields: [
          { apiName: 'title', name: 'Title', type: 'text', required: true },
          { apiName: 'body', name: 'Body', type: 'richText' },
          { apiName: 'author', name: 'Author', type: 'reference', settings: { contentTypes: ['author'] } },
          expect.objectContaining({ apiName: 'related', isList: true }),
          { apiName: 'code', name: 'Code', type: 'text', localized: false, unique: true },
        ],
      },
      expect.objectContaining({ apiName: 'author' }),
    ]);
    const yaml = await schema.send('GET', '/schema/export?format=yaml');
    expect(yaml.headers['content-type']).toBe('application/yaml; charset=utf-8');
    expect(yaml.headers['content-disposition']).toContain(`${schema.project.slug}.schema.yaml`);
    expect(parse(yaml.text)).toEqual(exported);
  });

  it('returns YAML that the OpenAPI document describes', async () => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema(JSON.parse(await readFile('openapi/openapi.json', 'utf8')) as object, 'document');
    const path = '~1api~1v1~1projects~1{projectSlug}~1schema~1export';
    const media = `/paths/${path}/get/responses/200/content/application~1yaml`;
    const validate = ajv.compile({ $ref: `document#${media}/schema` });
    const { text } = await schema.send('GET', '/schema/export?format=yaml');
    expect([validate(parse(text)), validate.errors]).toEqual([true, null]);
    expect(validate({ contentTypes: [{ apiName: 'article' }] })).toBe(false);
  });

  it('leaves out grants limited to tree nodes, which an apply keeps', async () => {
    const node = await createFolder(app(), schema.project, { slug: 'press' });
    const role = await schema.must<{ id: string }>('POST', '/roles', { name: 'Press', slug: 'press' });
    const grant = { resource: 'entries', action: 'update' };
    await schema.must('POST', `/roles/${role.id}/permissions`, {
      ...grant,
      scope: { treeNodeIds: [node.id] },
    });
    const { roles } = await schema.export();
    expect(roles).toEqual([{ slug: 'press', name: 'Press', grants: [] }]);
    await schema.apply({
      roles: [{ slug: 'press', name: 'Press', grants: [{ resource: 'media', action: 'read' }] }],
    });
    const held = await schema.must<object[]>('GET', `/roles/${role.id}/permissions`);
    expect(held).toMatchObject([grant, { resource: 'media', action: 'read' }]);
  });
});

describe('Renames', () => {
  verifies('environments/schema-destructive');

  it('follow renamedFrom with values and statuses, and a document that keeps it changes nothing later', async () => {
    const entry = await article({ title: 'Locks', code: 'a1' });
    await publish(app(), schema.project, entry.id);
    const list = await types();
    const type = typeOf(list, 'article');
    Object.assign(type, { apiName: 'story', renamedFrom: 'article', name: 'Story' });
    type.fields[0] = {
      ...type.fields[0],
      apiName: 'headline',
      renamedFrom: 'title',
      name: 'Headline',
      type: 'text',
    };
    Object.assign(type, { displayField: 'headline' });
    Object.assign(type.fields[3] ?? {}, { settings: { contentTypes: ['story'] } });
    const { steps, isDestructive } = await schema.plan({ contentTypes: list });
    expect(isDestructive).toBe(false);
    expect(steps.map(({ action, kind, name, from }) => [action, kind, name, from])).toEqual([
      ['rename', 'contentType', 'story', 'article'],
      ['update', 'contentType', 'story', null],
      ['rename', 'field', 'headline', 'title'],
      ['update', 'field', 'headline', null],
    ]);
    await schema.apply({ contentTypes: list });
    expect(await read(entry.id)).toMatchObject({
      contentTypeApiName: 'story',
      status: 'published',
      fields: { headline: 'Locks', code: 'a1' },
    });
    expect((await schema.apply({ contentTypes: list })).applyId).toBeNull();
  });

  it('are recognised where nothing but the apiName of one field differs, and not where two could be meant', async () => {
    const list = await types();
    const { fields } = typeOf(list, 'author');
    Object.assign(fields[0] ?? {}, { apiName: 'fullName' });
    Object.assign(typeOf(list, 'author'), { displayField: 'fullName' });
    const renamed = await schema.plan({ contentTypes: list });
    expect(renamed.steps).toMatchObject([{ action: 'rename', name: 'fullName', from: 'name' }]);
    fields.push({ ...fields[0], apiName: 'penName', type: 'text' });
    const ambiguous = await schema.plan({ contentTypes: list });
    expect(ambiguous.steps.map(({ action, name }) => [action, name])).toEqual([
      ['delete', 'name'],
      ['create', 'fullName'],
      ['create', 'penName'],
      ['update', 'author'],
    ]);
  });
});

describe('Destructive steps', () => {
  verifies('environments/schema-destructive');

  it('are refused without consent, with the number of values, and change nothing', async () => {
    const both = await article({ title: 'One', code: 'a1' });
    await article({ title: 'Two', code: 'b2' });
    const list = await types();
    const type = typeOf(list, 'article');
    type.fields = type.fields.filter(({ apiName }) => apiName !== 'code');
    const before = await schema.traces();
    const refused = await schema.send('POST', '/schema/apply', { schema: { contentTypes: list } });
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        error: 'destructive_change',
        details: {
          isDestructive: true,
          steps: [
            {
              action: 'delete',
              kind: 'field',
              contentType: 'article',
              name: 'code',
              lost: { values: 2, entries: 2 },
            },
          ],
        },
      },
    ]);
    expect(await schema.traces()).toEqual(before);
    await schema.apply({ contentTypes: list }, { allowDestructive: true });
    expect((await read(both.id)).fields).toEqual({ title: 'One' });
  });

  it('convert a field that becomes a list, localized or a single value, and count what that loses', async () => {
    const entry = await article({ title: 'One', code: 'a1' });
    const list = await types();
    Object.assign(typeOf(list, 'article').fields[4] ?? {}, { isList: true, unique: false, localized: true });
    const { steps, isDestructive } = await schema.plan({ contentTypes: list });
    expect([steps, isDestructive]).toMatchObject([[{ action: 'update', lost: null }], false]);
    await schema.apply({ contentTypes: list });
    expect((await read(entry.id)).fields).toEqual({ title: 'One', code: ['a1'] });
    const version = { version: entry.version, fields: { code: ['a1', 'a2'] } };
    await schema.must('PUT', `/entries/${entry.id}`, version);
    Object.assign(typeOf(list, 'article'), { displayField: 'title' });
    Object.assign(typeOf(list, 'article').fields[4] ?? {}, { isList: false });
    const lossy = await schema.plan({ contentTypes: list });
    expect(lossy).toMatchObject({
      isDestructive: true,
      steps: [{ action: 'update', name: 'code', lost: { values: 1, entries: 1 } }],
    });
    const refused = await schema.send('POST', '/schema/apply', { schema: { contentTypes: list } });
    expect([refused.status, refused.body.error]).toEqual([409, 'destructive_change']);
    await schema.apply({ contentTypes: list }, { allowDestructive: true });
    expect((await read(entry.id)).fields).toEqual({ title: 'One', code: 'a1' });
  });

  it('never delete a content type with entries, nor a role with members', async () => {
    await article({ title: 'One' });
    const list = (await types()).filter(({ apiName }) => apiName !== 'article');
    const { steps } = await schema.plan({ contentTypes: list });
    expect(steps).toMatchObject([{ action: 'delete', blocker: { code: 'content_type_in_use' } }]);
    const refused = await schema.send('POST', '/schema/apply', {
      schema: { contentTypes: list },
      allowDestructive: true,
    });
    expect([refused.status, refused.body.error]).toEqual([409, 'content_type_in_use']);
    const roleId = await createRole(app(), schema.project, []);
    await createMember(app(), schema.project, [roleId]);
    expect((await schema.plan({ roles: [] })).steps).toMatchObject([
      { action: 'delete', kind: 'role', blocker: { code: 'role_in_use', details: { memberCount: 1 } } },
    ]);
    const kept = await schema.send('POST', '/schema/apply', {
      schema: { roles: [] },
      allowDestructive: true,
    });
    expect([kept.status, kept.body.error]).toEqual([409, 'role_in_use']);
  });
});

describe('A plan', () => {
  it('lists fields that keep working but break a later rule', async () => {
    await schema.must('PUT', '/content-types/author', { isBlock: true });
    expect((await schema.plan({ contentTypes: await types() })).warnings).toEqual([
      { code: 'is_a_block_type', contentType: 'article', field: 'author', target: 'author' },
    ]);
    expect((await schema.apply({ contentTypes: await types() })).applyId).toBeNull();
  });

  it('lists fields that name a deleted type', async () => {
    const link = { apiName: 'tag', type: 'reference', settings: { contentTypes: ['label'] } };
    await createType(app(), schema.project, { apiName: 'label' });
    await createType(app(), schema.project, { apiName: 'leaf', fields: [link] });
    await schema.must('DELETE', '/content-types/label');
    expect((await schema.plan({ contentTypes: await types() })).warnings).toEqual([
      { code: 'unknown_content_type', contentType: 'leaf', field: 'tag', target: 'label' },
    ]);
  });
});

describe('POST schema/undo', () => {
  verifies('environments/schema-destructive');

  it('restores names and what was deleted, with their values, once', async () => {
    const entry = await article({ title: 'Locks', code: 'a1' });
    const before = await schema.export();
    const list = await types();
    const type = typeOf(list, 'article');
    type.fields = type.fields.filter(({ apiName }) => apiName !== 'code');
    Object.assign(type.fields[0] ?? {}, { apiName: 'headline', renamedFrom: 'title' });
    Object.assign(type, { displayField: 'headline' });
    list.push({ apiName: 'extra', name: 'Extra', fields: [{ apiName: 'text', type: 'text' }] });
    const { applyId } = await schema.apply({ contentTypes: list }, { allowDestructive: true });
    await schema.must('POST', '/schema/undo', { applyId });
    expect(await schema.export()).toEqual(before);
    expect((await read(entry.id)).fields).toEqual({ title: 'Locks', code: 'a1' });
    const again = await schema.send('POST', '/schema/undo', { applyId });
    expect([again.status, again.body.error]).toEqual([404, 'schema_apply_not_found']);
  });

  it('is refused with what changed since, or with the values that would be lost', async () => {
    const list = await types();
    typeOf(list, 'article').fields.push({ apiName: 'note', type: 'text' });
    const { applyId } = await schema.apply({ contentTypes: list });
    await article({ title: 'One', note: 'kept' });
    const lossy = await schema.send('POST', '/schema/undo', { applyId });
    expect(lossy.body).toMatchObject({
      error: 'destructive_change',
      details: { steps: [{ action: 'delete', name: 'note', lost: { values: 1 } }] },
    });
    await schema.must('PUT', '/content-types/article', { name: 'Other' });
    const changed = await schema.send('POST', '/schema/undo', { applyId });
    expect(changed.body).toMatchObject({
      error: 'schema_changed',
      details: { steps: [{ action: 'update', name: 'article', changes: [{ key: 'name', after: 'Other' }] }] },
    });
  });
});
