import type { TestProject } from '../factories/project.js';
import { many } from './costly-values.js';

/** A project with what the requests below name. */
export interface HostileScene {
  readonly project: TestProject;
  /** Ids of entries whose publication is costly. */
  readonly costly: readonly string[];
}

interface HostileRequest {
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly body?: string | Buffer<ArrayBuffer>;
  /** `application/json` by default. */
  readonly mediaType?: string;
}

/** @param attempt differs between repeated requests, so that none finds the work of another */
export type MakeRequest = (scene: HostileScene, attempt: number) => HostileRequest;

type Named<Value> = readonly [name: string, value: Value];

/** Texts of JSON that have stopped or crashed other servers. */
const hostileJson: readonly Named<string>[] = [
  ['500,000 nested lists', '['.repeat(500_000)],
  ['100 nested lists', `${'['.repeat(100)}${']'.repeat(100)}`],
  ['150,000 nested objects', '{"a":'.repeat(150_000)],
  ['a number of a million digits', '9'.repeat(1_000_000)],
  ['200,000 inexact numbers', `[${'1e400,'.repeat(170_000)}1]`],
  ['200,000 numbers', `[${many(190_000).join(',')}]`],
  ['160,000 lone surrogates', `"${'\\ud800'.repeat(160_000)}"`],
  ['a million escapes', `"${'\\n'.repeat(500_000)}"`],
  [
    '100,000 keys',
    `{${many(70_000)
      .map((index) => `"key${String(index)}":0`)
      .join(',')}}`,
  ],
  ['100,000 repeated keys', `{${'"k":0,'.repeat(160_000)}"k":0}`],
  ['300,000 empty lists', `[${'[],'.repeat(340_000)}[]]`],
  ['a list that never ends', '1,'.repeat(500_000)],
];

const text = (length: number) => 'x'.repeat(length);
const paragraph = (content: object[]) => ({ type: 'paragraph', content });
const marked = { type: 'text', text: 'x', marks: [{ type: 'bold' }] };

/** Rich-text documents at or beyond their limits. */
const hostileRichText: readonly Named<object>[] = [
  [
    '5,000 paragraphs',
    { type: 'doc', content: many(5000).map(() => paragraph([{ type: 'text', text: 'x' }])) },
  ],
  ['4,000 marks', { type: 'doc', content: [paragraph(many(4000).map(() => marked))] }],
  ['one text of 250 KB', { type: 'doc', content: [paragraph([{ type: 'text', text: text(250_000) }])] }],
  ['a megabyte', { type: 'doc', content: many(12_000).map(() => paragraph([marked])) }],
  [
    '90 nested quotes',
    {
      type: 'doc',
      content: [
        many(45).reduce<object>((held) => ({ type: 'blockquote', content: [held] }), paragraph([marked])),
      ],
    },
  ],
];

const json = (path: string, value: unknown): HostileRequest => ({ path, body: JSON.stringify(value) });

const entry = (
  { project: { management, siteId } }: HostileScene,
  contentTypeApiName: string,
  fields: object,
) => json(`${management}/entries`, { contentTypeApiName, siteId, fields });

const onEverySurface = ([name, value]: Named<string>): Named<MakeRequest>[] => [
  [
    `${name} on REST`,
    ({ project: { management, siteId } }) => ({
      path: `${management}/entries`,
      body: `{"contentTypeApiName":"article","siteId":"${siteId}","fields":{"data":${value}}}`,
    }),
  ],
  [
    `${name} on tRPC`,
    ({ project: { slug } }) => ({
      path: '/api/trpc/sites.create',
      body: `{"projectSlug":"${slug}","slug":"s","name":${value}}`,
    }),
  ],
  [
    `${name} on MCP`,
    ({ project: { slug } }) => ({
      path: `/api/mcp/${slug}`,
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_entry","arguments":${value}}}`,
    }),
  ],
];

const rows = (count: number, row: (index: number) => string) =>
  `source,target\n${many(count).map(row).join('')}`;

const csvFiles: readonly Named<string>[] = [
  ['10,000 rows', rows(10_000, (index) => `/a${String(index)},/b${String(index)}\n`)],
  ['10,000 rows of a kilobyte', rows(10_000, (index) => `/a${String(index)}${text(480)},/b${text(480)}\n`)],
  ['a million empty rows', `source,target\n${',\n'.repeat(1_000_000)}`],
  ['one record of 10 MB', `source,target\n"${text(10_000_000)}`],
  ['five million quotes', `source,target\n${'""'.repeat(2_500_000)}`],
];

const condition = (operator: string) => `filter[title][${operator}]=${text(1000)}`;
const queries: readonly Named<string>[] = [
  [
    '10 conditions',
    many(10)
      .map(() => condition('contains'))
      .join('&'),
  ],
  [
    'a long list of values',
    `filter[title][in]=${many(1500)
      .map(() => 'abc')
      .join(',')}`,
  ],
  [
    '2,000 conditions',
    many(600)
      .map((index) => `filter[f${String(index)}][eq]=1`)
      .join('&'),
  ],
  [
    '2,000 parameters',
    many(1500)
      .map((index) => `p${String(index)}=1`)
      .join('&'),
  ],
  ['nested brackets', `filter${'[a]'.repeat(2000)}=1`],
  ['escapes', `filter[title][eq]=${'%C3%A4'.repeat(1500)}`],
];

/** Requests that are hostile to the event loop, except those of the tables for GraphQL and JSON Schema. */
export const hostileRequests: readonly Named<MakeRequest>[] = [
  ...hostileJson.flatMap(onEverySurface),
  ...hostileRichText.map(([name, body]): Named<MakeRequest> => [
    `rich text of ${name}`,
    (scene) => entry(scene, 'article', { body }),
  ]),
  ...csvFiles.map(([name, body]): Named<MakeRequest> => [
    `an import of ${name}`,
    ({ project: { management } }) => ({
      path: `${management}/redirects/import?dryRun=true`,
      body,
      mediaType: 'text/csv',
    }),
  ]),
  ...queries.map(([name, query]): Named<MakeRequest> => [
    `a delivery list with ${name}`,
    ({ project: { delivery } }, attempt) => ({
      method: 'GET',
      path: `${delivery}/content/article?${query}&attempt=${String(attempt)}`,
    }),
  ]),
  [
    'a tRPC batch of 50 calls',
    ({ project: { slug } }) =>
      json(
        `/api/trpc/${many(50)
          .map(() => 'sites.create')
          .join(',')}?batch=1`,
        {
          ...many(50).map(() => ({ projectSlug: slug, slug: text(10_000), name: text(5000) })),
        },
      ),
  ],
  [
    '100 fields with JSON Schemas of 10 patterns',
    ({ project: { management } }, attempt) =>
      json(`${management}/content-types`, {
        apiName: `wide${String(attempt)}`,
        name: 'Wide',
        fields: many(100).map((field) => ({
          apiName: `f${String(field)}`,
          type: 'json',
          settings: {
            jsonSchema: {
              properties: Object.fromEntries(
                many(10).map((index) => [
                  `p${String(index)}`,
                  { pattern: `^[a-z]{1,60}${String(attempt)}-${String(field)}-${String(index)}$` },
                ]),
              ),
            },
          },
        })),
      }),
  ],
  [
    'a publication of 40 long texts with costly patterns',
    ({ project: { management }, costly }) => json(`${management}/entries/${costly[0] ?? ''}/publish`, {}),
  ],
  [
    'a bulk publication of entries that are costly to check',
    ({ project: { management }, costly }) =>
      json(`${management}/entries/bulk`, { action: 'publish', entryIds: costly }),
  ],
];
