import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RestOperations } from '../../src/cli/client/rest-operations.js';
import { runExportCommand } from '../../src/cli/export/export-command.js';
import { runProjectImport } from '../../src/cli/export/import-project.js';
import { startBeside, type TestApp } from '../support/app.js';
import { delivered, expectEqualDelivery } from '../support/delivered.js';
import { projectCopyCommands } from '../documentation/declared-commands.js';
import { outputOf, silent, useDemoExport } from '../support/demo-export.js';
import { superAdmin } from '../support/factories/project.js';
import type { DeliveredProject } from '../support/project-lists.js';
import { runCommand } from '../support/service-process.js';
import { cloneDatabase } from '../support/test-postgres.js';
import { verifies } from '../support/verifies.js';

const demo = useDemoExport();
let restored: TestApp;
let restoredKey: string;

/** Restores a backup of the service into another database and starts a service on it. */
async function startRestored(): Promise<TestApp> {
  const { host, folder } = demo();
  const [own, other] = [path.join(folder, 'own'), path.join(folder, 'other')];
  const file = path.join(folder, 'night.backup');
  await mkdir(own);
  await symlink(host.media.directory, path.join(own, 'media'));
  const backup = await runCommand(host.databaseUrl, ['backup', file], { HEADWATER_DATA_DIR: own });
  expect(backup).toMatchObject({ code: 0 });
  const url = await cloneDatabase();
  const restore = await runCommand(url, ['restore', file], { HEADWATER_DATA_DIR: other });
  expect(restore).toMatchObject({ code: 0 });
  return startBeside({
    databaseUrl: url,
    media: { ...host.media, directory: path.join(other, 'media') },
  });
}

const placeOf = (app: TestApp, key: string, projectSlug: string): DeliveredProject => ({
  client: new RestOperations(app.baseUrl, key),
  baseUrl: app.baseUrl,
  projectSlug,
});

/** The words of a documented command, about the demo. */
function wordsOf(line: string, settings: Readonly<Record<string, string>>): string[] {
  const places: Readonly<Record<string, string>> = {
    blog: 'demo',
    'blog-night': 'demo-night',
    acme: 'demo',
  };
  return line
    .replaceAll(/"\$(\w+)"/g, (_all, name: string) => settings[name] ?? '')
    .split(' ')
    .map((word) => places[word] ?? word);
}

beforeAll(async () => {
  restored = await startRestored();
  restoredKey = await superAdmin(restored);
}, 120_000);
afterAll(() => restored.close());

describe('A project of a backup', () => {
  verifies('operation/backup');

  it('is brought back under another slug beside its present state, and delivers what it delivered', async () => {
    const { host, client, key, folder } = demo();
    const { data } = await client.call('entries', 'list', { projectSlug: 'demo', limit: 100, locale: 'en' });
    for (const { id } of data.slice(0, 3))
      await client.call('entries', 'delete', { projectSlug: 'demo', id });
    const [present, lost] = [placeOf(host, key, 'demo'), placeOf(restored, restoredKey, 'demo')];
    for (const { composition } of [host, restored]) await composition.jobs.indexSearch();
    const damaged = await delivered(present);
    const settings = {
      RESTORED_URL: restored.baseUrl,
      RESTORED_KEY: restoredKey,
      HEADWATER_URL: host.baseUrl,
      HEADWATER_KEY: key,
    };
    const [exported, imported] = projectCopyCommands.map((line) => wordsOf(line, settings));
    const console = { directory: folder, progress: silent };
    await outputOf((print) => runExportCommand(exported?.slice(2) ?? [], { ...console, print }));
    const output = await outputOf((print) =>
      runProjectImport(imported?.slice(3) ?? [], { ...console, print }),
    );
    expect(output).toContain('Losses: ');

    await host.composition.jobs.indexSearch();
    const copy = placeOf(host, key, 'demo-night');
    expect(await expectEqualDelivery(lost, copy)).toBeGreaterThan(500);
    expect(await delivered(present)).toEqual(damaged);
    expect(damaged).not.toEqual(await delivered(lost));
  }, 120_000);
});
