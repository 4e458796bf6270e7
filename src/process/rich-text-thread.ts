import { parentPort } from 'node:worker_threads';
import { convertRichText } from '../content/rich-text/html/html-to-rich-text.js';
import type { RichTextSource } from '../content/rich-text/rich-text-source.js';

/** Entry point of the thread that converts rich text. */
parentPort?.on('message', (source: RichTextSource) => {
  parentPort?.postMessage(convertRichText(source));
});
