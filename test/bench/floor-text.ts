import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import pg from 'pg';

const entryOf = (row: string, type: string, fields = `${row}.fields`): string =>
  `json_build_object('_id', ${row}.entry_id, '_type', '${type}', '_slug', ${row}.slug, '_siteId', ${row}.site_id,
    '_locale', ${row}.locale, '_publishedAt', to_char(${row}.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'fields', ${fields})`;

const own = (row: string): string => `${row}.environment_id = $1 AND ${row}.locale = 'en'`;
const referred = (row: string, link: string): string =>
  `${own(row)} AND ${row}.entry_id = (${link} ->> '_ref')::uuid`;

const author = (shown: string): string =>
  `(SELECT ${shown} FROM published_entries a WHERE ${referred('a', "p.fields -> 'author'")})`;
const categories = (shown: string): string =>
  `(SELECT json_agg(${shown} ORDER BY place) FROM jsonb_array_elements(p.fields -> 'categories') WITH ORDINALITY AS l (link, place)
    JOIN published_entries c ON ${referred('c', 'l.link')})`;

const expanded = `json_build_object('title', p.fields -> 'title', 'body', p.fields -> 'body',
  'author', ${author(entryOf('a', 'author'))}, 'categories', ${categories(entryOf('c', 'category'))})`;

const page = `SELECT * FROM published_entries WHERE environment_id = $1 AND content_type_id = $2 AND site_id = $3 AND locale = 'en'
  ORDER BY published_at DESC, entry_id DESC LIMIT 25 OFFSET $4`;
const total = `(SELECT sum(entries)::int FROM published_counts
  WHERE environment_id = $1 AND content_type_id = $2 AND site_id = $3 AND locale = 'en')`;
const name = (row: string): string => `json_build_object('name', ${row}.fields -> 'name')`;

const byId = (fields: string): string =>
  `SELECT json_build_object('data', ${entryOf('p', 'article', fields)})::text AS text FROM published_entries p
   WHERE ${own('p')} AND p.entry_id = $2`;

const statements = {
  entry: byId('p.fields'),
  expanded: byId(expanded),
  page: `SELECT json_build_object('data', (SELECT json_agg(${entryOf('p', 'article')}) FROM (${page}) AS p),
      'meta', (SELECT json_build_object('total', t, 'page', $4::int / 25 + 1, 'limit', 25, 'pages', ceil(t / 25.0))
        FROM (SELECT ${total} AS t) AS counted))::text AS text`,
  graphql: `SELECT json_build_object('data', json_build_object('articleCollection', json_build_object('total', ${total}, 'items',
      (SELECT json_agg(json_build_object('_id', p.entry_id, 'title', p.fields -> 'title', 'author', ${author(name('a'))},
        'categories', ${categories(name('c'))})) FROM (${page}) AS p))))::text AS text`,
} as const;

type Values = Readonly<Record<string, string>>;

async function bodyOf(request: IncomingMessage): Promise<{ variables: { skip: number } }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as { variables: { skip: number } };
}

/** The statement for a request and its values after the environment. */
async function questionOf(
  request: IncomingMessage,
  { articleType, siteId }: Values,
): Promise<[name: keyof typeof statements, values: unknown[]]> {
  const { method, url = '' } = request;
  if (method === 'POST') return ['graphql', [articleType, siteId, (await bodyOf(request)).variables.skip]];
  const id = /\/entries\/([-0-9a-f]{36})/.exec(url)?.[1];
  if (id !== undefined) return [url.includes('include=1') ? 'expanded' : 'entry', [id]];
  return ['page', [articleType, siteId, (Number(/page=(\d+)/.exec(url)?.[1] ?? 1) - 1) * 25]];
}

function send(response: ServerResponse, text: string): void {
  const length = String(Buffer.byteLength(text));
  response.writeHead(200, ['content-type', 'application/json; charset=utf-8', 'content-length', length]);
  response.end(text);
}

/** node:http and pg; one prepared statement builds the response, which is sent as it comes. */
export function textFloor(url: string, values: Values): RequestListener {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const answer = async (request: IncomingMessage): Promise<string> => {
    const [name, given] = await questionOf(request, values);
    const query = { name, text: statements[name], values: [values.environmentId, ...given] };
    const { rows } = await pool.query<{ text: string }>(query);
    return rows[0]?.text ?? '{"error":"entry_not_found"}';
  };
  return (request, response) => {
    answer(request).then(
      (text) => {
        send(response, text);
      },
      (error: unknown) => {
        response.statusCode = 500;
        response.end(String(error));
      },
    );
  };
}
