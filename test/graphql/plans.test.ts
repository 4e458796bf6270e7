import { afterAll, describe, expect, it } from '@jest/globals';
import { parse, validate, type GraphQLSchema } from 'graphql';
import { withCustomType, type Catalog, type CustomFieldTypeDefinition } from '../../src/content/catalog.js';
import type { StoredDocument } from '../../src/features/publishing/delivery/index.js';
import { PublishedBody, publishedBody } from '../../src/features/shared/published-body.js';
import { buildProjectSchema } from '../../src/surfaces/graphql/project/build-project-schema.js';
import { sampled } from '../support/extent.js';
import { fc } from '../support/properties.js';
import { verifies } from '../support/verifies.js';
import { secretOf, send, serveFake, type Answer, type FakeEndpoint } from './fake-service.js';
import { catalogOf, contentType, document, field, id, link, sampleTypes } from './fixture.js';
import { choices, randomQuery, type ArgumentTexts, type Choose } from './random-query.js';

const money: CustomFieldTypeDefinition = {
  apiName: 'money',
  name: 'Money',
  description: null,
  graphqlTypeName: 'Money',
  defaultValue: null,
  jsonSchema: {
    type: 'object',
    properties: {
      amount: { type: 'number' },
      currency: { enum: ['EUR', 'USD'] },
      rates: { type: 'array', items: { type: ['number', 'null'] } },
      tags: { type: 'array', items: { type: 'string' } },
      origin: { type: 'object', properties: { city: { type: 'string' }, map: { type: 'object' } } },
    },
  },
};

const custom = (apiName: string, isList: boolean) =>
  withCustomType(
    field(apiName, 'custom', { settings: { customFieldType: 'money' }, isList }),
    new Map([[money.apiName, money]]),
  );

const lists = (
  ['text', 'number', 'boolean', 'dateTime', 'json', 'richText', 'location', 'media'] as const
).map((kind) => field(`${kind}List`, kind, { isList: true }));

/** Three models: every kind of field, types of custom fields and lists, and one type that refers to all. */
const catalogs: Readonly<Record<string, Catalog>> = {
  'every kind of field': catalogOf(sampleTypes),
  'custom types and lists': catalogOf(
    [
      contentType('offer', [
        custom('price', false),
        custom('prices', true),
        field('size', 'select', { settings: { options: [{ value: 'SMALL' }, { value: 'LARGE' }] } }),
        field('sizes', 'select', { isList: true, settings: { options: [{ value: 'SMALL' }] } }),
        field('place', 'location'),
        field('picture', 'media'),
        ...lists,
      ]),
    ],
    { customFieldTypes: [money] },
  ),
  'references to everything': catalogOf([
    contentType('node', [
      field('title', 'text'),
      field('any', 'reference'),
      field('all', 'reference', { isList: true }),
      field('parts', 'blocks'),
      field('body', 'richText'),
    ]),
    contentType('leaf', [field('title', 'integer'), field('node', 'reference')]),
  ]),
};

const COUNT = 12;

/** A value that the kind of a field stores, or another one: the model changes, and so do the values. */
function valueOf(kind: string, choose: Choose, typeNames: readonly string[]): unknown {
  const target = (): unknown => link(choose(COUNT + 3), typeNames[choose(typeNames.length)] ?? 'gone');
  const html = `<p>Text <a href="#" data-entry="${id(choose(COUNT))}">with</a> a link</p>`;
  const byKind: Readonly<Record<string, () => unknown>> = {
    richText: () => ({
      html: choose(2) === 0 ? html : '<p>"Plain"</p>',
      text: 'Text',
      json: { type: 'doc' },
    }),
    integer: () => choose(100),
    number: () => choose(1000) / 8,
    boolean: () => choose(2) === 0,
    json: () => ({ a: [1, null, { b: 'c\u2028"' }], exact: 1e21 }),
    location: () => ({ lat: choose(90), lng: -choose(90) / 3 }),
    select: () => ['SMALL', 'LARGE', 'gone'][choose(3)],
    custom: () => ({
      amount: choose(9),
      currency: ['EUR', 'GBP'][choose(2)],
      rates: [1, null],
      origin: { city: 'Bern' },
    }),
    reference: target,
    blocks: target,
    media: target,
  };
  if (choose(8) === 0) return [null, 7, 'other', [], { html: 3 }][choose(5)];
  return (byKind[kind] ?? (() => `Text ${String(choose(9))} "ü"`))();
}

/** Documents of every type, each with text or without. */
function documentsOf({ data: { contentTypes } }: Catalog, choose: Choose): StoredDocument[] {
  const typeNames = contentTypes.map(({ apiName }) => apiName);
  return Array.from({ length: COUNT }, (_, number) => {
    const type = contentTypes[number % contentTypes.length] ?? contentType('gone');
    const written = type.fields.filter(() => choose(8) > 0);
    const fields = Object.fromEntries(
      written.map(({ apiName, type: kind, isList }) => {
        const one = (): unknown => valueOf(kind, choose, typeNames);
        return [apiName, isList && choose(9) > 0 ? Array.from({ length: choose(4) }, one) : one()];
      }),
    );
    const body = choose(2) === 0 ? { body: new PublishedBody(publishedBody(fields)) } : {};
    return document(number, type.apiName, { fields, ...body, locale: choose(4) === 0 ? 'de' : 'en' });
  });
}

const ids = Array.from({ length: COUNT + 2 }, (_, number) => JSON.stringify(id(number)));

const argumentTexts: ArgumentTexts = {
  id: [...ids, '"nonsense"'],
  slug: ['"author-1"', '"node-0"', '"blog_post-0"', '"offer-1"', '"nothing"'],
  site: ['"main"', '"other"', '"main"', '"gone"'],
  locale: ['"en"', '"de"', '"fr"', '"xx"', 'null'],
  limit: ['3', '1', '10'],
  skip: ['0', '2', '-1'],
  preview: ['false', 'true'],
  cursor: [],
  path: ['"/"'],
  width: ['40', '-3'],
};

/** What the service in memory has nothing of. */
const leftOut = new Set([
  'asset',
  'tree',
  'redirects',
  'search',
  'suggest',
  'resolveRoute',
  'picture',
  'mediaList',
]);

/** @param isInterpreted asks for the sources of values, which only graphql-js notes */
async function answerOf(
  { url }: FakeEndpoint,
  body: { query: string; variables: unknown },
  isInterpreted: boolean,
): Promise<Answer> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secretOf('preview')}` };
  const query = isInterpreted ? '?contentSourceMaps=json' : '';
  return send(url + query, { headers, body: JSON.stringify(body) });
}

interface Body {
  readonly errors?: readonly object[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** What both have to have alike, the order of keys included. Errors come in the order in which reads end. */
function comparable({ status, body }: Answer): string {
  const { extensions, errors = [], ...rest } = body as Body;
  const { contentSourceMaps: _, ...others } = extensions ?? {};
  const withoutIds = (key: string, value: unknown) => (key === 'requestId' ? undefined : value);
  const failures = errors.map((error) => JSON.stringify(error, withoutIds)).sort();
  return JSON.stringify({ status, ...rest, extensions: others, failures }, withoutIds);
}

describe('Compiled and interpreted queries', () => {
  verifies('graphql/plans');
  const endpoints: FakeEndpoint[] = [];
  afterAll(() => Promise.all(endpoints.map((endpoint) => endpoint.close())));

  it.each(Object.entries(catalogs))(
    'agree on random queries of %s',
    async (_name, catalog) => {
      const endpoint = await serveFake(catalog);
      endpoints.push(endpoint);
      const schema: GraphQLSchema = buildProjectSchema(catalog).schema;
      const counts = { answered: 0, failed: 0 };
      await fc.assert(
        fc.asyncProperty(choices, choices, async (choose, chooseValue) => {
          const { query, variables } = randomQuery(schema, { given: argumentTexts, leftOut }, choose);
          if (validate(schema, parse(query)).length > 0) return;
          endpoint.published.documents = documentsOf(catalog, chooseValue);
          endpoint.drafts.documents = documentsOf(catalog, chooseValue);
          const planned = await answerOf(endpoint, { query, variables }, false);
          const interpreted = await answerOf(endpoint, { query, variables }, true);
          expect(comparable(planned)).toBe(comparable(interpreted));
          const { data, errors } = planned.body as { data?: unknown; errors?: unknown };
          if (errors !== undefined) counts.failed += 1;
          else if (data !== undefined) counts.answered += 1;
        }),
        { numRuns: sampled(60, 3400), endOnFailure: true },
      );
      expect(counts.answered).toBeGreaterThan(sampled(10, 500));
      expect(counts.failed).toBeGreaterThan(2);
    },
    1_200_000,
  );
});
