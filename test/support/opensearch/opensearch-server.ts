import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../../src/infrastructure/postgres/postgres-server.js';
import { findJava, serverPath } from '../optional-servers.js';

const libraries = serverPath('OPENSEARCH_LIBRARIES');
const java = findJava();

/** An OpenSearch of one node, without data. */
export interface OpenSearchServer {
  readonly url: string;
  /** Sends a request as its operator. */
  call(method: string, path: string, body?: object): Promise<unknown>;
  stop(): Promise<void>;
}

const START_MS = 480_000;

/** Starts a server with a heap of 512 MB at most. */
export async function startOpenSearch(): Promise<OpenSearchServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwater-opensearch-'));
  const port = await freePort();
  const memory = ['-Xms128m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
  const program = fileURLToPath(new URL('SearchServer.java', import.meta.url));
  const args = [...memory, '-cp', path.join(libraries, '*'), program, folder, String(port)];
  const child = spawn(java ?? 'java', args, { stdio: 'ignore' });
  const url = `http://127.0.0.1:${String(port)}`;
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  const call: OpenSearchServer['call'] = async (method, at, body) => {
    const response = await fetch(`${url}${at}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`OpenSearch: ${method} ${at}: ${await response.text()}`);
    return response.json();
  };
  for (const start = Date.now(); ; await delay(200)) {
    const isReady = await call('GET', '/_cluster/health?wait_for_status=yellow&timeout=30s').then(
      () => true,
      () => false,
    );
    if (isReady) {
      // The first index takes seconds.
      await call('PUT', '/warm/_doc/1?refresh=true', { text: 'warm' });
      await call('DELETE', '/warm');
      return { url, call, stop };
    }
    if (child.exitCode === null && Date.now() - start < START_MS) continue;
    await stop();
    throw new Error('OpenSearch does not start');
  }
}
