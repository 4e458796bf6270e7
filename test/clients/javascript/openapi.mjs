// openapi-typescript makes types of the document; a program that uses them with openapi-fetch compiles, and runs.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import openapiTS, { astToString } from 'openapi-typescript';
import createClient from 'openapi-fetch';
import { promisify } from 'node:util';

const { SERVICE, PROJECT, SITE, MANAGEMENT_KEY } = process.env;
await mkdir('openapi', { recursive: true });
await writeFile('openapi/service.ts', astToString(await openapiTS(new URL('/openapi.json', SERVICE))));
const list = '/api/delivery/projects/{slug}/sites/{siteSlug}/content/{contentTypeApiName}';
const program = (key) => `import createClient from 'openapi-fetch';
import type { paths } from './service.js';
const client = createClient<paths>({ baseUrl: 'http://localhost' });
const { data } = await client.GET('${list}', {
  params: { path: { slug: 'a', siteSlug: 'b', contentTypeApiName: 'c' }, query: { limit: 2, orderBy: 'createdAt:asc' } },
});
export const ids: (string | undefined)[] | undefined = data?.data.map((one) => one.${key});
`;
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const compiles = async (key) => {
  await writeFile('openapi/program.ts', program(key));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'];
  return promisify(execFile)(process.execPath, [compiler, ...options, 'openapi/program.ts']).then(
    () => true,
    ({ stdout }) => /error (TS\d+)/.exec(stdout)?.[1] ?? stdout,
  );
};
const client = createClient({ baseUrl: SERVICE, headers: { authorization: `Bearer ${MANAGEMENT_KEY}` } });
const path = { slug: PROJECT, siteSlug: SITE, contentTypeApiName: 'article' };
const found = await client.GET(list, { params: { path, query: { limit: 2, orderBy: 'createdAt:asc' } } });
const missing = await client.GET(list, { params: { path: { ...path, contentTypeApiName: 'nothing' } } });
console.log(
  JSON.stringify({
    right: await compiles('_id'),
    wrong: await compiles('identity'),
    titles: found.error ?? found.data.data.map(({ fields }) => fields.title),
    error: missing.error?.error,
  }),
);
