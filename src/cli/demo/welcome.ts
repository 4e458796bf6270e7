import path from 'node:path';
import { type LoadedDemo, loadDemo, type DemoOptions } from './load-demo.js';
import process from 'node:process';

const json = "-H 'Content-Type: application/json'";
const bearer = (key: string): string => `-H 'Authorization: Bearer ${key}'`;

/** Title and command for each surface. */
function commands({ baseUrl, projectSlug, siteSlugs, keys }: LoadedDemo): [string, string][] {
  const [site = ''] = siteSlugs;
  const project = `${baseUrl}/api/v1/projects/${projectSlug}`;
  const listed = `{"projectSlug":"${projectSlug}","limit":3,"orderBy":"createdAt:asc"}`;
  const query = `{ articleCollection(site: "${site}", locale: "fr", limit: 3) { total items { _slug _locale title author { name } } } }`;
  const tools = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  return [
    [
      'REST delivery: published articles in German',
      `curl -s ${bearer(keys.delivery)} '${baseUrl}/api/delivery/projects/${projectSlug}/sites/${site}/content/article?locale=de&limit=3'`,
    ],
    [
      'REST management: entries that are not published',
      `curl -s ${bearer(keys.management)} '${project}/entries?status=draft&limit=3'`,
    ],
    [
      'tRPC: entries, oldest first',
      `curl -sG ${bearer(keys.management)} --data-urlencode 'input=${listed}' '${baseUrl}/api/trpc/entries.list'`,
    ],
    [
      'GraphQL: articles in French, with English as the fallback',
      `curl -s ${bearer(keys.delivery)} ${json} -d '${JSON.stringify({ query })}' '${baseUrl}/api/graphql/${projectSlug}'`,
    ],
    [
      'MCP: the tools of an agent',
      `curl -s ${bearer(keys.management)} ${json} -H 'Accept: application/json, text/event-stream' -d '${tools}' '${baseUrl}/api/mcp/${projectSlug}'`,
    ],
  ];
}

/** Relative to the working directory where it is below it. */
function displayPath(file: string): string {
  const relative = path.relative('', file);
  return relative.startsWith('..') ? file : relative;
}

export function welcome(demo: LoadedDemo): string {
  const lines = [
    `Headwater is ready at ${demo.baseUrl}, with the demo project "${demo.projectSlug}".`,
    '',
    `Admin app:               ${demo.baseUrl}/admin`,
    `Demo site:               ${demo.baseUrl}/demo`,
    `Login:                   ${demo.superAdmin.email}  ${demo.superAdmin.password}`,
    '',
    'Paste a command for each surface:',
    '',
    ...commands(demo).flatMap(([title, command]) => [`# ${title}`, command, '']),
    `REST reference:          ${demo.baseUrl}/docs (OpenAPI document: ${demo.baseUrl}/openapi.json)`,
    `GraphQL explorer:        ${demo.baseUrl}/api/graphql/${demo.projectSlug}`,
    `Keys and logins:         ${displayPath(demo.credentialsPath)}`,
  ];
  return `\n${lines.join('\n')}\n\n`;
}

/** @returns the keys that the pages for people may fill in */
export async function showDemo(
  options: DemoOptions,
): Promise<{ project: string; reference: string; explorer: string }> {
  const credentials = await loadDemo(options);
  process.stdout.write(welcome(credentials));
  const { management, preview } = credentials.keys;
  return { project: credentials.projectSlug, reference: management, explorer: preview };
}
