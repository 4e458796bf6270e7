import { createHash, randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { prepareTemplate } from '../../support/prepare-template.js';
import { runCommand, ServiceProcess } from '../../support/service-process.js';
import { createTestDatabase } from '../../support/test-postgres.js';
import { KillClient } from './client.js';
import { asSuperuser, killRepeatedly, reportCounts } from './kills.js';
import { MediaLedger, MediaWriter } from './media-writer.js';
import { preparePlace } from './place.js';
import { Seeded } from './seeded.js';

const { values: flags } = parseArgs({
  options: { seed: { type: 'string' }, kills: { type: 'string' }, writers: { type: 'string' } },
});
const seed = Number(flags.seed ?? randomInt(2 ** 31));
const kills = Number(flags.kills ?? 20);
const writerCount = Number(flags.writers ?? 8);

/** Acknowledged files that no version of their asset has. */
async function lostFiles(database: pg.Client, { files }: MediaLedger): Promise<number> {
  const { rows } = await database.query<{ lost: number }>(
    `SELECT count(*)::int AS lost FROM jsonb_to_recordset($1::jsonb) AS known ("assetId" uuid, checksum text)
      WHERE NOT EXISTS (SELECT FROM media_asset_versions v
        WHERE v.asset_id = known."assetId" AND v.file ->> 'sourceChecksum' = known.checksum)`,
    [JSON.stringify(files)],
  );
  return rows[0]?.lost ?? -1;
}

/** Current files that are not served, or with other bytes than their row names. */
async function wrongFiles(database: pg.Client, serviceUrl: string): Promise<number> {
  const { rows } = await database.query<{ id: string; name: string; checksum: string }>(
    'SELECT id, file_name AS name, checksum FROM media_assets',
  );
  let wrong = 0;
  for (const { id, name, checksum } of rows) {
    const response = await fetch(`${serviceUrl}/media/bench/${id}/${checksum.slice(0, 12)}/${name}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    const isRight = response.ok && createHash('sha256').update(bytes).digest('hex') === checksum;
    wrong += isRight ? 0 : 1;
  }
  return wrong;
}

/** Returns error counts, which must be zero, and a summary. */
async function runKills(
  databaseUrl: string,
  directory: string,
): Promise<{ wrong: Record<string, number>; summary: string[] }> {
  const settings = { HEADWATER_DATA_DIR: directory, LOG_LEVEL: 'info', SHUTDOWN_DELAY_SECONDS: '0' };
  const start = (): Promise<ServiceProcess> => ServiceProcess.start(databaseUrl, settings);
  const [client, ledger] = [new KillClient(), new MediaLedger()];
  client.service = await start();
  const place = await preparePlace(client, databaseUrl);
  client.key = place.key;
  const writers = Array.from({ length: writerCount }, (_none, index) => {
    const random = new Seeded(seed + index + 1);
    return new MediaWriter({ client, ledger, random, management: place.management });
  });
  const work = Promise.all(writers.map((writer) => writer.run()));
  const { times, longest } = await killRepeatedly(client, { kills, random: new Seeded(seed), start });
  for (const writer of writers) writer.stop();
  await work;
  const database = await asSuperuser(databaseUrl);
  try {
    const served = await wrongFiles(database, client.service.url);
    const lost = await lostFiles(database, ledger);
    await client.service.kill('SIGTERM');
    const swept = await runCommand(databaseUrl, ['media', 'sweep'], settings);
    return {
      wrong: {
        'lost acknowledged files': lost,
        'files not served, or served with other bytes than their row names': served,
        'rows without bytes': swept.code,
        'unexpected responses': ledger.unexpected.length,
      },
      summary: [
        `${ledger.files.length} files acknowledged, ${ledger.unanswered} requests interrupted by a kill`,
        `killed ${String(times)} times; longest downtime ${String(longest)} ms`,
        ...swept.output.trim().split('\n').slice(-3),
        ...ledger.unexpected.slice(0, 5),
      ],
    };
  } finally {
    await database.end();
    await client.service.kill('SIGKILL');
  }
}

const startedAt = Date.now();
console.log(`seed ${String(seed)}: ${String(kills)} kills, ${String(writerCount)} writers`);
const template = await prepareTemplate();
Object.assign(process.env, template.environment);
const database = await createTestDatabase();
const directory = await mkdtemp(path.join(tmpdir(), 'headwater-kill-media-'));
try {
  const { wrong, summary } = await runKills(database.url, directory);
  for (const line of summary) console.log(line);
  reportCounts(wrong);
  console.log(`${String(Math.round((Date.now() - startedAt) / 1000))} s`);
} finally {
  await rm(directory, { recursive: true, force: true });
  await database.drop();
  await template.dispose();
}
