import { createServer, type IncomingMessage } from 'node:http';
import process from 'node:process';
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import type { AppRouter, Entry } from 'headwater-client';

const { HEADWATER_URL = '', HEADWATER_PROJECT = '', HEADWATER_KEY = '', PORT = '4322' } = process.env;
const projectSlug = HEADWATER_PROJECT;
const headers = { authorization: `Bearer ${HEADWATER_KEY}` };
const service = createTRPCClient<AppRouter>({
  links: [httpBatchLink({ url: `${HEADWATER_URL}/api/trpc`, headers })],
});

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const row = ({ id, contentTypeApiName, slug }: Entry) => `<li>${escapeHtml(`${contentTypeApiName} ${slug}`)}
<form method="post" action="/publish/${id}"><button>Publish</button></form></li>`;

async function page(said = ''): Promise<string> {
  const { data, meta } = await service.entries.list.query({
    projectSlug,
    status: ['draft'],
    orderBy: 'updatedAt:desc',
    limit: 20,
  });
  return `<!doctype html><title>Drafts</title><h1>${meta.total} drafts</h1>
<p role="status">${escapeHtml(said)}</p><ul>${data.map(row).join('')}</ul>`;
}

async function publish(id: string): Promise<string> {
  try {
    const { data } = await service.entries.publish.mutate({ projectSlug, id });
    return 'slug' in data ? `${data.slug} is published.` : `It is published at ${data.scheduledAt}.`;
  } catch (error) {
    // The code and the message of the service, such as `entry_invalid`.
    if (error instanceof TRPCClientError) return (error as TRPCClientError<AppRouter>).message;
    throw error;
  }
}

async function respond({ method, url = '', headers: sent }: IncomingMessage): Promise<[number, string]> {
  const id = /^\/publish\/([\w-]+)$/.exec(url)?.[1];
  if (method !== 'POST' || id === undefined) return [200, await page()];
  // Forms of other sites must not publish.
  if ((sent['sec-fetch-site'] ?? 'same-origin') !== 'same-origin')
    return [403, 'The form belongs to another site.'];
  return [200, await page(await publish(id))];
}

createServer(async (request, response) => {
  const [status, html] = await respond(request).catch((error: Error) => [502, escapeHtml(error.message)]);
  response.writeHead(Number(status), { 'content-type': 'text/html; charset=utf-8' }).end(html);
}).listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}`));
