import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

/** A turn of the event loop as a row: its end in ms since 1970, its length, the processor time and the wait for a processor. */
export type TurnRow = readonly [endedAt: number, wallMs: number, cpuMs: number, waitMs: number];

const TICK_MS = 1;
/** Shorter turns are counted as none. */
const LEAST_MS = 2;

/** Processor time and wait for a processor of the main thread so far, in ms. */
function clockOf(descriptor: number, buffer: Buffer): readonly [cpuMs: number, waitMs: number] {
  const length = readSync(descriptor, buffer, 0, buffer.length, 0);
  const [cpu, wait] = buffer.toString('latin1', 0, length).split(' ');
  return [Number(cpu) / 1e6, Number(wait) / 1e6];
}

/**
 * Calls `note` for each turn of this process's event loop that takes at least 2 ms.
 * @returns ends it; does nothing without /proc
 */
export function recordTurns(note: (row: TurnRow) => void): () => void {
  let descriptor: number;
  try {
    descriptor = openSync(`/proc/self/task/${String(process.pid)}/schedstat`, 'r');
  } catch {
    return () => undefined;
  }
  const buffer = Buffer.alloc(128);
  let last = performance.now();
  let [lastCpu, lastWait] = clockOf(descriptor, buffer);
  const timer = setInterval(() => {
    const now = performance.now();
    const [cpu, wait] = clockOf(descriptor, buffer);
    const wallMs = now - last;
    if (wallMs >= LEAST_MS) note([performance.timeOrigin + now, wallMs, cpu - lastCpu, wait - lastWait]);
    [last, lastCpu, lastWait] = [now, cpu, wait];
  }, TICK_MS).unref();
  return () => {
    clearInterval(timer);
    closeSync(descriptor);
  };
}

/** Opens the file; undefined if another process or thread records into it. */
function openNew(file: string): number | undefined {
  try {
    return openSync(file, 'wx');
  } catch {
    return undefined;
  }
}

// The service is started with `--import` of this module, and its children inherit the option.
const file = process.env.BENCH_TURNS_FILE;
if (isMainThread && file !== undefined) {
  const out = openNew(file);
  if (out !== undefined) recordTurns((row) => writeSync(out, `${JSON.stringify(row)}\n`));
}
