import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { stat } from 'node:fs/promises';

const resolve = createRequire(import.meta.url).resolve;

/** A parser that may spin or exhaust memory on hostile files. */
interface Probe {
  /** npm package, whose path becomes `workerData.library`. */
  readonly library: string;
  /** Posts one message, its result. */
  readonly program: string;
  readonly file: string;
}

const MILLISECONDS = 10_000;
const HEAP_MEGABYTES = 256;

/** Runs a probe in a separate thread. Undefined if it fails, or takes longer than ten seconds. */
function runProbe<T>({ library, program, file }: Probe): Promise<T | undefined> {
  const worker = new Worker(program, {
    eval: true,
    workerData: { library: resolve(library), file },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    stdout: true,
    stderr: true,
  });
  return new Promise<T | undefined>((settle) => {
    const done = (result: T | undefined): void => {
      clearTimeout(timer);
      settle(result);
      void worker.terminate();
    };
    const timer = setTimeout(done, MILLISECONDS, undefined);
    worker.once('message', done);
    worker.once('error', () => {
      done(undefined);
    });
    worker.once('exit', () => {
      done(undefined);
    });
  });
}

/** Larger documents would be read into memory whole. */
const MAXIMUM_PDF_BYTES = 20 * 1024 * 1024;

const pdfProgram = `
const { workerData, parentPort } = require('node:worker_threads');
const { readFile } = require('node:fs/promises');
const { pathToFileURL } = require('node:url');
(async () => {
  const { getDocumentProxy } = await import(pathToFileURL(workerData.library).href);
  const document = await getDocumentProxy(new Uint8Array(await readFile(workerData.file)), { isEvalSupported: false });
  parentPort.postMessage(document.numPages);
})();
`;

/** Pages of a PDF; null if it is too large, encrypted or damaged. */
export async function countPages(file: string): Promise<number | null> {
  if ((await stat(file)).size > MAXIMUM_PDF_BYTES) return null;
  const pages = await runProbe<unknown>({ library: 'unpdf', program: pdfProgram, file });
  return typeof pages === 'number' && Number.isSafeInteger(pages) && pages > 0 ? pages : null;
}

interface RecordingFacts {
  readonly durationSeconds: number | null;
  /** Of the first video track, else of the first audio track. */
  readonly codec: string | null;
  /** Upright; null for audio. */
  readonly width: number | null;
  readonly height: number | null;
}

interface Track {
  readonly '@type'?: unknown;
  readonly Duration?: unknown;
  readonly Format?: unknown;
  readonly Width?: unknown;
  readonly Height?: unknown;
  readonly Rotation?: unknown;
}

const recordingProgram = `
const { workerData, parentPort } = require('node:worker_threads');
const { open } = require('node:fs/promises');
const { pathToFileURL } = require('node:url');
(async () => {
  const library = await import(pathToFileURL(workerData.library).href);
  const factory = library.default.default ?? library.default;
  const handle = await open(workerData.file, 'r');
  const info = await factory({ format: 'object', chunkSize: 256 * 1024 });
  const { size } = await handle.stat();
  const result = await info.analyzeData(size, async (length, position) => {
    const bytes = new Uint8Array(length);
    const { bytesRead } = await handle.read(bytes, 0, length, position);
    return bytes.subarray(0, bytesRead);
  });
  parentPort.postMessage(JSON.parse(JSON.stringify(result.media?.track ?? [])));
})();
`;

const nothing: RecordingFacts = { durationSeconds: null, codec: null, width: null, height: null };

const positive = (value: unknown): number | null => {
  const number = Number(value);
  return Number.isFinite(number) && number > 0 ? number : null;
};

const side = (value: unknown): number | null => {
  const number = positive(value);
  return number === null || number > 100_000 ? null : Math.round(number);
};

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[\w .+/-]{1,60}$/.test(value) ? value : null;

/** Duration, codec and size of audio and video; null where the file does not say. */
export async function inspectRecording(file: string): Promise<RecordingFacts> {
  const tracks = await runProbe<Track[]>({ library: 'mediainfo.js', program: recordingProgram, file });
  if (!Array.isArray(tracks)) return nothing;
  const ofType = (type: string): Track | undefined => tracks.find((track) => track['@type'] === type);
  const [general, video, audio] = [ofType('General'), ofType('Video'), ofType('Audio')];
  const duration = positive(general?.Duration ?? video?.Duration ?? audio?.Duration);
  const isTurned = Math.abs(Number(video?.Rotation ?? 0)) % 180 === 90;
  const [width, height] = [side(video?.Width), side(video?.Height)];
  return {
    durationSeconds: duration === null ? null : Math.round(duration * 1000) / 1000,
    codec: textOf(video?.Format ?? audio?.Format),
    width: isTurned ? height : width,
    height: isTurned ? width : height,
  };
}
