import { parentPort } from 'node:worker_threads';
import { convertRichText, imagesIn } from '../content/rich-text/html/html-to-rich-text.js';
import type { ConversionTask } from '../content/rich-text/rich-text-source.js';

/** Entry point of the thread that converts rich text. */
parentPort?.on('message', ({ task, source, known }: ConversionTask) => {
  parentPort?.postMessage(task === 'convert' ? convertRichText(source, known) : imagesIn(source, known));
});
