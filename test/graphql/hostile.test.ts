import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildProjectSchema } from '../../src/surfaces/graphql/project/build-project-schema.js';
import { prepareDocument } from '../../src/surfaces/graphql/prepared-document.js';
import { GraphqlRefusal } from '../../src/surfaces/graphql/refusal.js';
import { ask, serveFake, type FakeEndpoint } from './fake-service.js';
import { catalogOf } from './fixture.js';

const list = (count: number, item: (index: number) => string, separator = ' ') =>
  Array.from({ length: count }, (_, index) => item(index)).join(separator);

/** Documents that have brought other servers down, each within the body limit of 100 KB. */
const hostile: Readonly<Record<string, string>> = {
  'nested selections': '{a'.repeat(30_000),
  'nested lists': `{ authorCollection(where: ${'['.repeat(40_000)}`,
  'nested objects': `{ authorCollection(where: ${'{a:'.repeat(20_000)}`,
  'nested types': `query ($a: ${'['.repeat(40_000)}`,
  'many aliases': `{ ${list(6000, (index) => `a${index}:__typename`)} }`,
  'aliases within the tokens': `{ ${list(600, (index) => `a${index}:__typename`)} }`,
  'many directives': `{ __typename ${'@a'.repeat(30_000)} }`,
  'directives within the tokens': `{ __typename ${'@a'.repeat(990)} }`,
  'repeated fields': `{ ${'x '.repeat(1990)} }`,
  'repeated selections': `{ ${'x{y}'.repeat(495)} }`,
  'repeated pages': `{ authorCollection { ${'items{name}'.repeat(480)} total(x:1) } }`,
  'repeated fields of different arguments': `{ ${list(280, (index) => `x(a:${index})`)} }`,
  'repeated narrowing': `{ entry(id:1) { ${'...on Author{friend{name}}'.repeat(240)} x } }`,
  'repeated plain fragments': `{ ${'...{x}'.repeat(495)} }`,
  'fragments that double': `{ ...A0 } ${list(100, (index) => `fragment A${index} on Query { ...A${index + 1} ...A${index + 1} }`)} fragment A100 on Query { __typename }`,
  'fields that double': `{ entry(id: 1) { ...A0 } } ${list(60, (index) => `fragment A${index} on Author { friend { ...A${index + 1} } f: friend { ...A${index + 1} } }`)} fragment A60 on Author { name }`,
  'inline fragments that double': `{ ...A0 } ${list(90, (index) => `fragment A${index} on Query { ...{ ...A${index + 1} } ...on Query { ...A${index + 1} } }`)} fragment A90 on Query { __typename }`,
  'introspection that doubles': `{ __schema { ...A0 } } ${list(90, (index) => `fragment A${index} on __Schema { ...A${index + 1} ...on __Schema { ...A${index + 1} } }`)} fragment A90 on __Schema { __typename }`,
  'circles of fragments': `{ ${list(190, (index) => `...A${index}`)} } ${list(190, (index) => `fragment A${index} on Query { ...A${(index + 1) % 190} }`)}`,
  'a long chain of fragments': `{ ...A0 } ${list(210, (index) => `fragment A${index} on Query { ...A${index + 1} x }`)} fragment A210 on Query { x }`,
  'fragments spread everywhere': `{ ${list(40, (index) => `entry(id:${index}) { ${list(20, (number) => `...A${number}`)} }`)} } ${list(20, (index) => `fragment A${index} on Author { friend { name } }`)}`,
  'many unknown fields': `{ ${list(1900, (index) => `authorCollectio${index}`)} }`,
  'many operations': `${list(280, (index) => `query a${index} { x }`)}`,
  'many variables': `query (${list(480, (index) => `$a${index}: Int`)}) { x }`,
  'a long name': `{ ${'a'.repeat(99_000)} }`,
  'comments only': '#\n'.repeat(30_000),
  'strings that never close': '"""'.repeat(16_001),
  'block strings': `{ x(a: """${'\\"""'.repeat(10_000)}""") }`,
  'many tokens': '{'.concat('a '.repeat(49_000)),
};

describe.each(['delivery', 'preview'] as const)('a hostile query with a %s key', (key) => {
  let endpoint: FakeEndpoint;
  beforeAll(async () => {
    endpoint = await serveFake();
  });
  afterAll(() => endpoint.close());

  it.each(Object.keys(hostile))('is refused before anything runs: %s', async (name) => {
    const { status, body } = await ask(endpoint, hostile[name] ?? '', { key });
    expect(status).toBe(400);
    expect(body.errors.length).toBeLessThanOrEqual(10);
    expect(JSON.stringify(body).length).toBeLessThan(20_000);
  });
});

describe('preparing a document', () => {
  it('refuses with a reason and never with an accident, whatever the text', () => {
    const { schema } = buildProjectSchema(catalogOf());
    const rules = {
      schema,
      limits: { maxQueryDepth: 10, maxComplexity: 1000, maxReferenceDepth: 3 },
      mayIntrospect: false,
    };
    const alphabet = [
      '{',
      '}',
      '(',
      ')',
      '...',
      'on',
      'Author',
      'authorCollection',
      'items',
      'name',
      ':',
      '$a',
      '"',
      '"""',
      '@skip',
      '[',
      ']',
      '!',
      '#',
      '\n',
      '1',
      'fragment',
      'query',
      'F',
    ];
    let state = 42;
    const next = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % below;
    };
    for (let round = 0; round < 3000; round += 1) {
      const query = list(next(30), () => alphabet[next(alphabet.length)] ?? '');
      try {
        prepareDocument(query, rules);
      } catch (error) {
        expect(error).toBeInstanceOf(GraphqlRefusal);
      }
    }
  });
});
