import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import { lexicographicSortSchema, parse, printSchema, type GraphQLSchema } from 'graphql';

/**
 * Names that the printed file needs for itself: its own helpers and the global types it uses. A content type
 * named like one is printed with `_` behind its name, which no type of a schema can have.
 */
const ownNames: ReadonlySet<string> = new Set([
  'Array',
  'Exact',
  'Incremental',
  'InputMaybe',
  'MakeEmpty',
  'MakeMaybe',
  'MakeOptional',
  'Maybe',
  'Omit',
  'Partial',
  'Pick',
  'Scalars',
]);

const typeName = (name: string): string => (ownNames.has(name) ? `${name}_` : name);

const heading =
  "// Types of a project's GraphQL schema. Made by `headwater types`: do not edit, run it again.\n";

const configuration = {
  declarationKind: 'interface',
  enumsAsTypes: true,
  namingConvention: { typeNames: typeName, enumValues: 'keep' },
  // Fields are there when they are asked for; that they may be null, `Maybe` says.
  avoidOptionals: { field: true },
  // Apart from `_` in the middle, the name of arguments could be that of a type.
  addUnderscoreToArgsType: true,
  useTypeImports: true,
  scalars: { ID: 'string', JSON: 'unknown' },
  strictScalars: true,
};

/**
 * TypeScript interfaces of a schema: one per type, names as they are in the schema, types and fields in order of
 * name, so that the text changes only where the schema does.
 */
export async function printTypes(schema: GraphQLSchema): Promise<string> {
  const text = await codegen({
    filename: 'content-types.ts',
    schema: parse(printSchema(lexicographicSortSchema(schema))),
    documents: [],
    config: {},
    plugins: [{ typescript: configuration }],
    pluginMap: { typescript },
  });
  return `${heading}${text.replace(/\n{3,}/g, '\n\n').trim()}\n`;
}
