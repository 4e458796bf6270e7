// graphql-codegen makes types of the service over introspection; TypeScript compiles a program that uses them.
import { generate } from '@graphql-codegen/cli';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const { GRAPHQL, MANAGEMENT_KEY } = process.env;
await mkdir('codegen', { recursive: true });
const program = (field) => `import { graphql } from './gql/gql.js';
import type { ResultOf } from '@graphql-typed-document-node/core';
export const titles = graphql(\`
  query Titles { articleCollection(limit: 2) { items { title } } }
\`);
export const first = (data: ResultOf<typeof titles>): string | null | undefined => data.articleCollection?.items?.[0]?.${field};
`;
await writeFile('codegen/titles.ts', program('title'));
await generate({
  schema: { [GRAPHQL]: { headers: { authorization: `Bearer ${MANAGEMENT_KEY}` } } },
  documents: ['codegen/titles.ts'],
  generates: {
    'codegen/gql/': {
      preset: 'client',
      config: { useTypeImports: true },
      presetConfig: { fragmentMasking: false },
    },
  },
  emitLegacyCommonJSImports: false,
  silent: true,
});
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const compiles = () =>
  promisify(execFile)(process.execPath, [
    compiler,
    ...['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'],
    'codegen/titles.ts',
  ]).then(
    () => true,
    ({ stdout }) => /error (TS\d+)/.exec(stdout)?.[1] ?? stdout,
  );
const right = await compiles();
await writeFile('codegen/titles.ts', program('headline'));
console.log(JSON.stringify({ right, wrong: await compiles() }));
