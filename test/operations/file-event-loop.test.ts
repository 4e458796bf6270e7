import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDesk, useApp, type Desk } from '../support/desk.js';
import { png } from '../support/factories/media.js';
import { hostileFiles } from '../support/hostile/files.js';
import { ServiceProcess } from '../support/service-process.js';
import { verifies } from '../support/verifies.js';

/** Set by `npm run bench -- event-loop`, which measures; the run of all tests judges the answers alone. */
const isMeasured = process.env.EVENT_LOOP === 'measure';
/** As in `event-loop.test.ts`. */
const multiple = 12.5;
const attempts = 4;
/** Pictures beside the checkout; without them these files are left out. */
const corpus = path.resolve('../shared/corpus/images/photos');
const probe = pathToFileURL(path.resolve('test/support/loop-probe.js')).href;

const app = useApp();
let desk: Desk;
let directory: string;
let service: ServiceProcess;

beforeAll(async () => {
  desk = await openDesk(app());
  directory = await mkdtemp(path.join(tmpdir(), 'headwater-files-'));
  service = await ServiceProcess.start(app().databaseUrl, {
    ...(isMeasured && { NODE_OPTIONS: `--import=${probe}` }),
    RATE_LIMIT_MANAGEMENT: '0',
    HEADWATER_DATA_DIR: directory,
  });
}, 120_000);

afterAll(async () => {
  await service.kill('SIGTERM');
  await rm(directory, { recursive: true, force: true });
});

/** Status and error code. */
async function upload(fileName: string, content: Buffer): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(content)]), fileName);
  const response = await fetch(`${service.url}${desk.project.management}/media/upload?duplicate=create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${desk.project.keys.management}` },
    body: form,
  });
  const { error = '' } = (await response.json()) as { error?: string };
  return `${String(response.status)} ${error}`.trim();
}

interface Turn {
  readonly turn: number;
  readonly turnMs: number;
  readonly delayMs: number;
}

/** Longest turn of the loop, in multiples of the fixed work; the best of several attempts. */
async function longestTurn(work: () => Promise<unknown>): Promise<Turn> {
  let best: Turn = { turn: Infinity, turnMs: Infinity, delayMs: Infinity };
  for (let attempt = 0; attempt < attempts && best.turn > multiple; attempt += 1) {
    const { workMs } = await service.ask<{ workMs: number }>('calibrate');
    await service.ask('start');
    await work();
    const { turnMs, delayMs } = await service.ask<{ turnMs: number; delayMs: number }>('stop');
    if (turnMs / workMs < best.turn) best = { turn: turnMs / workMs, turnMs, delayMs };
  }
  return best;
}

const answers: Readonly<Record<string, string>> = {
  'deep.svg': '422 file_too_complex',
  'at the depth limit.svg': '201',
  'elements.svg': '201',
  'too many elements.svg': '422 file_too_complex',
  'styles.svg': '422 file_too_complex',
  'large styles.svg': '422 file_too_complex',
  'attributes.svg': '422 file_too_complex',
  'five megabytes.svg': '201',
  'flat.png': '201',
  'bomb.png': '422 file_damaged',
  'frames.gif': '201',
  'frames.webp': '201',
  'wide.webp': '201',
  'pages.pdf': '201',
  'text.txt': '201',
  'latin1.csv': '201',
  'markup at the end.txt': '201',
  'numbers.json': '201',
  'zeros.bin': '422 unsupported_file_type',
};

describe('A hostile file', () => {
  verifies('limits/event-loop');

  it.each(Object.entries(hostileFiles))(
    'gets its answer: %s',
    async (name, make) => {
      expect(await upload(name, await make())).toBe(answers[name]);
    },
    60_000,
  );
});

if (isMeasured)
  describe('The event loop', () => {
    const expectShort = ({ turn, turnMs, delayMs }: Turn, name: string): void => {
      process.stderr.write(`${name}: longest turn ${turnMs.toFixed(1)} ms, delay ${delayMs.toFixed(1)} ms\n`);
      expect({ isShort: turn <= multiple, turn, delayMs }).toEqual({ isShort: true, turn, delayMs });
    };

    it.each(Object.entries(hostileFiles))(
      'is not kept from others by %s',
      async (name, make) => {
        const content = await make();
        expectShort(await longestTurn(() => upload(name, content)), name);
      },
      120_000,
    );

    it('is not kept from others by 40 small files at once', async () => {
      const files = Array.from({ length: 40 }, () => png());
      const turn = await longestTurn(() => Promise.all(files.map((file) => upload('small.png', file))));
      expectShort(turn, '40 small files');
    }, 120_000);

    const withPhotos = existsSync(corpus) ? it : it.skip;

    withPhotos(
      'is not kept from others by photographs, which must be beside the checkout',
      async () => {
        for (const name of await readdir(corpus)) {
          const content = await readFile(path.join(corpus, name));
          expectShort(await longestTurn(() => upload(name, content)), name);
        }
      },
      240_000,
    );
  });
