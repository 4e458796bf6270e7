import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RestOperations } from '../../src/cli/client/rest-operations.js';
import { runExportCommand } from '../../src/cli/export/export-command.js';
import { keyOf, rewrite, type LineOf } from '../../src/cli/export/export-format.js';
import { runProjectImport } from '../../src/cli/export/import-project.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { linesOf, outputOf, silent, useDemoExport } from '../support/demo-export.js';
import { superAdmin } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';

const demo = useDemoExport();
let other: TestApp;
let target: RestOperations;
let key: string;

beforeAll(async () => {
  other = await startTestApp();
  key = await superAdmin(other);
  target = new RestOperations(other.baseUrl, key);
}, 120_000);
afterAll(() => other.close());

/** @returns what the command prints, or its failure */
const importSample = (...options: readonly string[]): Promise<string> =>
  outputOf((print) =>
    runProjectImport(['sample', '--url', other.baseUrl, '--key', key, ...options], {
      directory: demo().folder,
      print,
      progress: silent,
    }),
  );

const counts = (output: string, kind: string): number[] =>
  (new RegExp(`^${kind} +(.*)$`, 'm').exec(output)?.[1] ?? '').split(/ +/).map(Number);

/** Things of an export by what both exports call them. */
async function namesOf(place: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const line of await linesOf(place, 'settings.jsonl'))
    if (line.kind === 'site') names.set(line.id, `site ${line.slug}`);
  for (const file of ['entries.jsonl', 'assets.jsonl'] as const)
    for (const line of await linesOf(place, file)) names.set(line.id, keyOf(line));
  return names;
}

/** Versions without ids of users, which are those of a service. */
async function historyOf(place: string): Promise<unknown[]> {
  const names = await namesOf(place);
  const named = (actor: { type: string; name: string }) => ({ type: actor.type, name: actor.name });
  return (await linesOf(place, 'history.jsonl')).map(({ content, ...line }: LineOf<'history.jsonl'>) =>
    rewrite(
      {
        ...line,
        content: {
          ...content,
          createdBy: named(content.createdBy),
          publications: content.publications.map((one) => ({ ...one, by: named(one.by) })),
        },
      },
      (text) => names.get(text) ?? text,
    ),
  );
}

describe('An import of an export with history', () => {
  verifies('entries/import');
  let first: string;
  let copy: string;

  beforeAll(async () => {
    const locales = [{ code: 'en', name: 'English' }];
    const project = { slug: 'first', name: 'First' };
    const tenant = { slug: 'trust', name: 'Trust', locales, defaultLocale: 'en', project };
    await target.call('tenants', 'create', tenant);
    first = await importSample('--tenant', 'trust');
    const { folder } = demo();
    const place = ['--url', other.baseUrl, '--key', key, '--project', 'demo', '--out', 'copy', '--history'];
    await outputOf((print) => runExportCommand(place, { directory: folder, print, progress: silent }));
    copy = path.join(folder, 'copy');
  }, 240_000);

  it('has every version, and nothing of them is lost', async () => {
    const lines = await linesOf(demo().sample, 'history.jsonl');
    expect(lines.length).toBeGreaterThan(30);
    expect(counts(first, 'version')).toEqual([lines.length, 0, 0, 0, 0]);
  });

  it('is exported with an equal history', async () => {
    expect(await historyOf(copy)).toEqual(await historyOf(demo().sample));
  });

  it('keeps the numbers, times and authors of the last changes', async () => {
    const { client } = demo();
    const of = { projectSlug: 'demo', limit: 100, orderBy: 'createdAt:asc' } as const;
    const shown = async (from: RestOperations) =>
      (await from.call('entries', 'list', of)).data.map(({ version, updatedAt, updatedBy, locales }) => ({
        version,
        updatedAt,
        by: updatedBy.name,
        locales: locales.map(({ scheduled: _scheduled, ...state }) => state),
      }));
    expect(await shown(target)).toEqual(await shown(client));
  });

  it('restores and compares a version of the source as any other', async () => {
    const lines = await linesOf(copy, 'history.jsonl');
    const last = lines.findLast(({ version }) => version > 1);
    const of = { projectSlug: 'demo', id: last?.entryId ?? '' };
    const { changes } = (await target.call('entries', 'diffVersions', { ...of, from: 1 })).data;
    expect(changes.length).toBeGreaterThan(0);
    const restored = (await target.call('entries', 'restore', { ...of, versionNum: 1 })).data;
    const was = (await target.call('entries', 'getVersion', { ...of, versionNum: 1 })).data;
    expect(restored.version).toBe((last?.version ?? 0) + 1);
    expect(restored.fields).toEqual(was.snapshot.fields[restored.locale]);
  });

  it('is not repeated: versions that exist stay as they are', async () => {
    const before = await historyOf(copy);
    const second = await importSample();
    // One entry was restored in the test before.
    const [made, , same, , lost] = counts(second, 'version');
    expect([lost, (made ?? 0) + (same ?? 0)]).toEqual([0, before.length]);
    const dry = await importSample('--dry-run');
    expect(counts(dry, 'version')).toEqual(counts(second, 'version'));
  });
});
