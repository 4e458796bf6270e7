import os from 'node:os';
import process from 'node:process';
import { ComplexFile } from '../infrastructure/files/complex-file.js';
import { DamagedFile } from '../infrastructure/files/file-window.js';
import type { ImageCall, ImageReply } from '../infrastructure/image-work/image-process.js';
import { imageWork } from '../infrastructure/image-work/image-work.js';
import { loadSharp } from '../infrastructure/images/render-image.js';

/** Between normal and low: renditions still progress while requests take all they can. */
const NICENESS = 3;

async function replyTo({ id, task, parameters }: ImageCall): Promise<ImageReply> {
  try {
    // Its time is not that of the picture.
    await loadSharp();
    process.send?.({ id, isStarted: true } satisfies ImageReply);
    const work = imageWork[task] as (...parameters: readonly unknown[]) => Promise<unknown>;
    return { id, result: await work(...parameters) };
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof ComplexFile)
      return { id, complexity: { aspect: error.aspect, maximum: error.maximum } };
    return error instanceof DamagedFile ? { id, damage: message } : { id, failure: message };
  }
}

/** Entry point of the process that works on pictures. It ends with the process that started it. */
os.setPriority(NICENESS);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));
process.on('message', (call: ImageCall) => {
  void replyTo(call).then((reply) => process.send?.(reply));
});
