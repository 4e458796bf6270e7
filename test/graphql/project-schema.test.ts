import { describe, expect, it } from '@jest/globals';
import { type GraphQLSchema, buildSchema, isInterfaceType, printType, validateSchema } from 'graphql';
import { buildProjectSchema, projectSdl } from '../../src/surfaces/graphql/project/build-project-schema.js';
import { SchemaCache } from '../../src/surfaces/graphql/schema-cache.js';
import { systemSdl } from '../../src/surfaces/graphql/project/root-field.js';
import { catalogOf, contentType, field, sampleTypes } from './fixture.js';
import { verifies } from '../support/verifies.js';

const schemaOf = (...given: Parameters<typeof catalogOf>): GraphQLSchema =>
  buildProjectSchema(catalogOf(...given)).schema;

function typeOf(schema: GraphQLSchema, typeName: string, fieldName: string): string {
  const type = schema.getType(typeName);
  if (type === undefined || !('getFields' in type)) throw new Error(`no ${typeName}`);
  return String(type.getFields()[fieldName]?.type);
}

interface Described {
  readonly description?: unknown;
  readonly args?: readonly Described[];
}

const bare = (sdl: string): string => sdl.replace(/^\s*"""[\s\S]*?"""\n/gm, '');

describe('Project schema', () => {
  verifies(
    'graphql/types',
    'graphql/types-of-references',
    'graphql/no-single-entry-queries',
    'graphql/arguments',
  );

  it('is valid with and without content types', () => {
    expect(validateSchema(schemaOf())).toEqual([]);
    const empty = schemaOf([]);
    expect(validateSchema(empty)).toEqual([]);
    expect(Object.keys(empty.getQueryType()?.getFields() ?? {})).toEqual([
      'asset',
      'entry',
      'entryBySlug',
      'redirects',
      'resolveRoute',
      'search',
      'suggest',
      'tree',
    ]);
  });

  it('has the seven system fields in the interface and in every type', () => {
    const schema = schemaOf();
    for (const name of ['ContentEntry', 'Bare', 'BlogPost']) {
      expect(typeOf(schema, name, '_id')).toBe('ID!');
      expect(typeOf(schema, name, '_type')).toBe('String!');
      expect(typeOf(schema, name, '_slug')).toBe('String!');
      expect(typeOf(schema, name, '_siteId')).toBe('ID!');
      expect(typeOf(schema, name, '_locale')).toBe('String!');
      expect(typeOf(schema, name, '_publishedAt')).toBe('String');
      expect(typeOf(schema, name, '_updatedAt')).toBe('String!');
    }
    expect(isInterfaceType(schema.getType('ContentEntry'))).toBe(true);
  });

  it.each([
    ['title', 'String'],
    ['summary', 'String'],
    ['body', 'RichText'],
    ['path', 'String'],
    ['views', 'Float'],
    ['price', 'Float'],
    ['isFeatured', 'Boolean'],
    ['day', 'String'],
    ['startsAt', 'String'],
    ['mood', 'String'],
    ['tags', '[String!]'],
    ['link', 'String'],
    ['contact', 'String'],
    ['meta', 'JSON'],
    ['author', 'Author'],
    ['categories', '[Category!]'],
    ['related', 'ContentEntry'],
    ['subject', 'BlogPost_subject'],
    ['sections', '[BlogPost_sections!]'],
    ['ghost', 'ContentEntry'],
  ])('maps field %s to %s under the same name', (name, type) => {
    expect(typeOf(schemaOf(), 'BlogPost', name)).toBe(type);
  });

  it('lists existing union members sorted by name', () => {
    const union = schemaOf().getType('BlogPost_sections');
    expect(union && bare(printType(union))).toBe('union BlogPost_sections = Hero | Quote');
  });

  it('has one collection query per type and no single-entry query per type', () => {
    const schema = schemaOf();
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toEqual([
      'asset',
      'entry',
      'entryBySlug',
      'redirects',
      'resolveRoute',
      'search',
      'suggest',
      'tree',
      'authorCollection',
      'bareCollection',
      'blog_postCollection',
      'categoryCollection',
      'heroCollection',
      'quoteCollection',
    ]);
    const collection = schema.getQueryType()?.getFields().blog_postCollection;
    expect(collection?.args.map(({ name, type }) => `${name}: ${String(type)}`)).toEqual([
      'site: String',
      'locale: String',
      'preview: Boolean',
      'limit: Int',
      'skip: Int',
      'cursor: String',
      'where: JSON',
      'orderBy: String',
    ]);
    expect(String(collection?.type)).toBe('BlogPostCollection!');
    expect(bare(printType(schema.getType('BlogPostCollection') as never))).toBe(
      'type BlogPostCollection {\n  items: [BlogPost!]!\n  total: Int!\n  skip: Int!\n  limit: Int!\n  nextCursor: String\n}',
    );
  });

  it('has no mutations or subscriptions', () => {
    expect(schemaOf().getMutationType()).toBeUndefined();
    expect(schemaOf().getSubscriptionType()).toBeUndefined();
  });

  it('describes every type, field and argument', () => {
    const types = Object.values(schemaOf().getTypeMap()).filter(({ name }) => !name.startsWith('__'));
    const fields = types.flatMap((type) =>
      'getFields' in type ? Object.values<Described>(type.getFields()) : [],
    );
    const all: Described[] = [...types, ...fields, ...fields.flatMap(({ args }) => args ?? [])];
    const undescribed = all.filter(({ description }) => !description);
    expect(undescribed).toEqual([]);
  });

  it('accepts names inherited from Object.prototype', () => {
    const schema = schemaOf([contentType('thing', [field('valueOf', 'text')])]);
    expect(validateSchema(schema)).toEqual([]);
    expect(typeOf(schema, 'Thing', 'valueOf')).toBe('String');
  });

  it('is valid when two type names collide', () => {
    expect(validateSchema(schemaOf([contentType('blog_post'), contentType('blogPost')]))).toEqual([]);
  });
});

describe('Project SDL', () => {
  it('does not depend on the creation order of types and fields', () => {
    const shuffled = sampleTypes.map((type) => ({ ...type, fields: [...type.fields].reverse() })).reverse();
    expect(projectSdl(catalogOf(shuffled))).toBe(projectSdl(catalogOf()));
  });

  it('builds an equal schema when it is parsed again', () => {
    expect(validateSchema(buildSchema(projectSdl(catalogOf())))).toEqual([]);
    expect(buildSchema(systemSdl()).getType('RichText')).toBeDefined();
  });
});

describe('Marks of the SDL', () => {
  verifies('graphql/sdl');

  it('are on fields that published entries always have', () => {
    const when = { settings: { visibleWhen: { field: 'line', eq: 'a' } } };
    const sdl = projectSdl(
      catalogOf([
        contentType('thing', [
          field('line', 'text', { required: true }),
          field('lines', 'text', { isList: true }),
          field('maybe', 'text'),
          field('sometimes', 'text', { required: true, ...when }),
          field('other', 'reference', { required: true }),
          field('cover', 'media', { required: true }),
        ]),
      ]),
    );
    const type = /^type Thing [^]*?\n}/m.exec(sdl)?.[0] ?? '';
    const marked = [...type.matchAll(/^ {2}(\w+): \S+ @semanticNonNull$/gm)].map(([, name]) => name);
    expect(marked).toEqual(['line', 'lines']);
    expect(sdl).toContain('directive @semanticNonNull(');
  });
});

describe('SchemaCache', () => {
  it('builds a schema once per environment and revision', () => {
    const cache = new SchemaCache();
    const first = cache.of(catalogOf());
    expect(cache.of(catalogOf())).toBe(first);
    expect(cache.of(catalogOf(sampleTypes, { revision: '2' }))).not.toBe(first);
    expect(
      cache.of(
        catalogOf(sampleTypes, { environment: { id: 'environment-2', slug: 'two', isProtected: false } }),
      ),
    ).not.toBe(first);
  });

  it('evicts the least recently used schema when the field limit is exceeded', () => {
    const cache = new SchemaCache();
    const large = Array.from({ length: 100 }, (_, type) =>
      contentType(
        `type${String(type)}`,
        Array.from({ length: 100 }, (_, one) => field(`f${String(one)}`, 'text')),
      ),
    );
    const at = (revision: string) => cache.of(catalogOf(large, { revision }));
    const first = at('1');
    expect(at('1')).toBe(first);
    for (let revision = 2; revision <= 9; revision += 1) at(String(revision));
    expect(at('1')).not.toBe(first);
  });
});
