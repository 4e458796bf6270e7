import { readFile } from 'node:fs/promises';
import plugin from '@graphql-eslint/eslint-plugin';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ESLint, type Linter } from 'eslint';
import { parse, visit, type ASTNode, type StringValueNode } from 'graphql';
import { send } from '../support/call.js';
import { openDesk, useApp, type Desk } from '../support/desk.js';
import { createType, everyField } from '../support/factories/content.js';
import { verifies } from '../support/verifies.js';

verifies('graphql/descriptions');

const app = useApp();
const schemas: Record<string, string> = {};

const sdlOf = async ({ project }: Desk): Promise<string> => {
  const path = `/api/graphql/${project.slug}/schema.graphql`;
  return (await send(app(), { method: 'GET', path, key: project.keys.preview })).text;
};

async function demoSdl(): Promise<string> {
  const desk = await openDesk(app());
  const file = new URL('../../src/cli/demo/schema.json', import.meta.url);
  const schema = JSON.parse(await readFile(file, 'utf8')) as object;
  const applied = await desk.post('/schema/apply', { schema, allowDestructive: true });
  expect(applied.status).toBe(200);
  return sdlOf(desk);
}

async function fullSdl(): Promise<string> {
  const desk = await openDesk(app());
  const jsonSchema = {
    type: 'object',
    properties: { amount: { type: 'number' }, currency: { enum: ['EUR', 'USD'] }, note: { type: 'string' } },
  };
  const custom = { apiName: 'money', name: 'Money', graphqlTypeName: 'Money', jsonSchema };
  expect((await desk.post('/custom-field-types', custom)).status).toBe(201);
  await createType(app(), desk.project, {
    apiName: 'part',
    isBlock: true,
    fields: [{ apiName: 'title', type: 'text' }],
  });
  const lists = everyField
    .filter(({ type }) => type !== 'blocks' && type !== 'slug')
    .map((field) => ({ ...field, apiName: `${field.apiName}List`, isList: true, required: false }));
  await createType(app(), desk.project, {
    apiName: 'every_kind',
    fields: [
      ...everyField,
      ...lists,
      { apiName: 'cover', type: 'media' },
      { apiName: 'subject', type: 'reference', settings: { contentTypes: ['article', 'author'] } },
      { apiName: 'author', type: 'reference', settings: { contentTypes: ['author'] } },
      { apiName: 'old', type: 'text', deprecated: true },
      { apiName: 'size', type: 'select', settings: { options: [{ value: '3 m' }, { value: '5 m' }] } },
      { apiName: 'price', type: 'custom', settings: { customFieldType: 'money' } },
      { apiName: 'helped', type: 'text', description: 'What helps editors.' },
    ],
  });
  return sdlOf(desk);
}

beforeAll(async () => {
  Object.assign(schemas, { demo: await demoSdl(), 'every field kind': await fullSdl() });
});

/** Names come from the content model and from the specification, so the style of some is not ours to choose. */
const exceptions: Linter.RulesRecord = {
  '@graphql-eslint/naming-convention': [
    'error',
    {
      // Unions and enums have the names of a type and its field, which may contain underscores.
      types: { style: 'PascalCase', ignorePattern: '^[A-Z][A-Za-z0-9]*_' },
      // System fields begin with an underscore; collections with the name of their type.
      FieldDefinition: { style: 'camelCase', ignorePattern: '^_|Collection$' },
      // A filter names the type that it is of.
      InputValueDefinition: { style: 'camelCase', ignorePattern: '^_|^[A-Z]' },
      Argument: 'camelCase',
      DirectiveDefinition: 'camelCase',
      // Values of enums are options of content, which are delivered as they are.
    },
  ],
  '@graphql-eslint/strict-id-in-types': [
    'error',
    {
      // Ids of entries are `_id` by the specification.
      acceptedIdNames: ['_id', 'id'],
      acceptedIdTypes: ['ID'],
      exceptions: {
        suffixes: ['Collection'],
        // Values and results of a query, which cannot be read by an id.
        types: [
          'Location',
          'Money',
          'RichText',
          'RouteResolution',
          'SearchCompletion',
          'SearchHit',
          'SearchSuggestion',
          'SiteRedirect',
        ],
      },
    },
  ],
};

async function findings(sdl: string): Promise<string[]> {
  const recommended = plugin.configs['flat/schema-recommended'];
  const linter = new ESLint({
    overrideConfigFile: true,
    overrideConfig: [
      {
        files: ['**/*.graphql'],
        plugins: { '@graphql-eslint': plugin as unknown as ESLint.Plugin },
        languageOptions: {
          parser: plugin.parser,
          parserOptions: { graphQLConfig: { schema: sdl } },
        },
        rules: { ...recommended.rules, ...exceptions },
      },
    ],
  });
  const [result] = await linter.lintText(sdl, { filePath: 'schema.graphql' });
  return (result?.messages ?? []).map(({ ruleId, message, line }) => `${ruleId ?? ''} ${line}: ${message}`);
}

type Described = ASTNode & {
  readonly name: { readonly value: string };
  readonly description?: StringValueNode;
};

const words = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

/** Places whose description is missing or says the name again. */
function undescribed(sdl: string): string[] {
  const found: string[] = [];
  visit(parse(sdl), {
    enter: (...[node, , , , ancestors]) => {
      if (!('name' in node) || !/^(?!Operation).*Definition$/.test(node.kind)) return;
      const { name, description } = node as Described;
      const text = description?.value ?? '';
      if (text !== '' && words(text) !== words(name.value)) return;
      const owners = ancestors.flatMap((one) => ('name' in one ? [(one as Described).name.value] : []));
      found.push([...owners, name.value].join('.'));
    },
  });
  return found;
}

describe.each(['demo', 'every field kind'])('The published schema of %s', (name) => {
  it('has no findings of the recommended rules of GraphQL-ESLint', async () => {
    expect(await findings(schemas[name] ?? '')).toEqual([]);
  });

  it('describes each type, field, argument and enum value by more than its name', () => {
    expect(undescribed(schemas[name] ?? '')).toEqual([]);
  });
});

describe('The linter', () => {
  it('finds a type and a field without description, and a name in another style', async () => {
    const found = await findings('type Query { Bad_name: thing }\ntype thing { id: ID! }\n');
    expect(found.map((line) => line.split(' ')[0])).toEqual(
      expect.arrayContaining(['@graphql-eslint/require-description', '@graphql-eslint/naming-convention']),
    );
    expect(undescribed('type Query {\n"a b"\na(c: Int): Int\n}')).toEqual(['Query', 'Query.a.c']);
  });
});
