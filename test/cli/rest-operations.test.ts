import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { RestOperations } from '../../src/cli/client/rest-operations.js';

const answer = JSON.stringify({ data: [], meta: { pages: 1 } });
let server: http.Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A service that ends the connection in the middle of its first responses. */
async function interrupted(answers: number): Promise<{ client: RestOperations; requests: string[] }> {
  const requests: string[] = [];
  const service = http.createServer((request, response) => {
    requests.push(request.method ?? '');
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
    if (requests.length > answers) response.end(answer);
    else
      response.write(answer.slice(0, 10), () => {
        response.destroy();
      });
  });
  server = service;
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  return { client: new RestOperations(`http://127.0.0.1:${String(port)}`, 'key'), requests };
}

describe('A command whose connection ends in the middle of a response', () => {
  it('repeats a read', async () => {
    const { client, requests } = await interrupted(2);
    const { meta } = await client.call('locales', 'list', { projectSlug: 'demo' });
    expect([meta, requests]).toEqual([{ pages: 1 }, ['GET', 'GET', 'GET']]);
  });

  it('fails at a change, which the service may have made', async () => {
    const { client, requests } = await interrupted(1);
    const change = client.call('locales', 'create', { projectSlug: 'demo', code: 'de', name: 'German' });
    await expect(change).rejects.toThrow('cannot be reached');
    expect(requests).toEqual(['POST']);
  });
});
