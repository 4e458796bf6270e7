import { runProbe } from './isolated-probe.js';

export interface RecordingFacts {
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

const program = `
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
  const tracks = await runProbe<Track[]>({ library: 'mediainfo.js', program, file });
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
