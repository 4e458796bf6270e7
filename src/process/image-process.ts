import os from 'node:os';
import process from 'node:process';
import { DamagedFile } from '../infrastructure/files/file-window.js';
import type { RenderCall, RenderReply } from '../infrastructure/images/image-process.js';
import { renderImage } from '../infrastructure/images/render-image.js';

/** Between normal and low: renditions still progress while requests take all they can. */
const NICENESS = 3;

async function replyTo({ id, file, recipe }: RenderCall): Promise<RenderReply> {
  try {
    return { id, bytes: await renderImage(file, recipe) };
  } catch (error) {
    const { message } = error as Error;
    return error instanceof DamagedFile ? { id, damage: message } : { id, failure: message };
  }
}

/** Entry point of the process that renders pictures. It ends with the process that started it. */
os.setPriority(NICENESS);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));
process.on('message', (call: RenderCall) => {
  void replyTo(call).then((reply) => process.send?.(reply));
});
