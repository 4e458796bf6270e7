import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { END_OF_ROWS } from '../../src/cli/backup/archive-format.js';
import { writeArchive } from '../../src/cli/backup/write-archive.js';
import { withSnapshot } from '../../src/persistence/archive/export-rows.js';
import { openDesk, useOwnApp } from '../support/desk.js';

const app = useOwnApp();

/** Byte before the length and text `COPY <rows>` of CommandComplete. */
const completion = /C[\0-\x20]{4}COPY \d+\0/;

/** Forwards what the database sends; the number of rows comes later than the rows, as over a slow network. */
async function forward(from: Socket, to: Socket): Promise<void> {
  for await (const chunk of from) {
    const data = chunk as Buffer;
    const at = data.toString('latin1').search(completion);
    if (at > 0) {
      to.write(data.subarray(0, at));
      await delay(20);
    }
    to.write(at > 0 ? data.subarray(at) : data);
  }
  to.end();
}

async function slowDatabase(target: URL): Promise<{ url: string; close(): void }> {
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    client.pipe(database);
    client.on('error', () => database.destroy());
    database.on('error', () => client.destroy());
    forward(database, client).catch(() => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, close: () => server.close() };
}

it('names the number of rows of each table, also where the database sends it after the rows', async () => {
  await openDesk(app());
  const folder = await mkdtemp(path.join(tmpdir(), 'headwater-archive-'));
  const database = await slowDatabase(new URL(app().databaseUrl));
  try {
    const facts = { release: 'test', createdAt: new Date(), storage: undefined, isIncomplete: false };
    const { file, rows } = await withSnapshot(database.url, (snapshot) =>
      writeArchive(folder, snapshot, facts),
    );
    const lines = gunzipSync(await readFile(file))
      .toString('utf8')
      .trimEnd()
      .split('\n');
    const trailer = JSON.parse(lines.at(-1) ?? '') as { rows: Record<string, number> };
    const start = lines.findIndex((line) => line.startsWith('{"table":"content_types"'));
    const types = lines.slice(start + 1).findIndex((line) => `${line}\n` === END_OF_ROWS);
    expect(types).toBeGreaterThan(0);
    expect(trailer.rows.content_types).toBe(types);
    expect(rows).toBe(Object.values(trailer.rows).reduce((sum, count) => sum + count, 0));
  } finally {
    database.close();
    await rm(folder, { recursive: true });
  }
});
