import { median } from '../growth/median.js';
import type { Known, WriteClient } from './client.js';
import { LARGE, SMALL } from './content.js';

interface Subject {
  readonly name: string;
  readonly bytes: number;
  readonly entry: Known;
  readonly update: number[];
  readonly publish: number[];
  /** The least is without images of whole pages, which the first change after a checkpoint logs. */
  readonly wal: number[];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} KB`;

/** Changes of a title and publications of one locale, alternating between the subjects. */
export async function compareEntries(
  client: WriteClient,
  { rounds, locales }: { rounds: number; locales: readonly string[] },
): Promise<void> {
  const made = async (bytes: number, codes: readonly string[]): Promise<Subject> => {
    const name = `${kilobytes(bytes)}, ${String(codes.length)} ${codes.length === 1 ? 'locale' : 'locales'}`;
    const entry = await client.create(name, bytes, codes);
    return { name, bytes, entry, update: [], publish: [], wal: [] };
  };
  const subjects = [await made(SMALL, ['en']), await made(SMALL, locales), await made(LARGE, ['en'])];
  for (let round = -3; round < rounds; round += 1) {
    for (const { entry, update, publish, wal, name } of subjects) {
      const change = { locale: 'en', fields: { title: `${name} ${String(round)}` } };
      let ms = 0;
      const bytes = await client.walOf(async () => {
        ms = await timed(() => client.update(entry, change));
      });
      const published = await timed(() => client.publish(entry));
      if (round < 0) continue;
      update.push(ms);
      wal.push(bytes);
      publish.push(published);
    }
  }
  const [first] = subjects;
  console.log(
    '| One locale of an entry | Update, ms | Ratio | Publish, ms | Ratio | Log of an update / document |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
  for (const { name, bytes, update, publish, wal } of subjects) {
    const ratio = (of: 'update' | 'publish', values: readonly number[]): string =>
      (median(values) / median(first?.[of] ?? [])).toFixed(2);
    const cells = [median(update).toFixed(1), ratio('update', update)];
    const others = [
      median(publish).toFixed(1),
      ratio('publish', publish),
      (Math.min(...wal) / bytes).toFixed(2),
    ];
    console.log(`| ${[name, ...cells, ...others].join(' | ')} |`);
  }
}
