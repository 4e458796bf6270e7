import { stat } from 'node:fs/promises';
import { runProbe } from './isolated-probe.js';

/** Larger documents would be read into memory whole. */
const MAXIMUM_BYTES = 20 * 1024 * 1024;

const program = `
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
  if ((await stat(file)).size > MAXIMUM_BYTES) return null;
  const pages = await runProbe<unknown>({ library: 'unpdf', program, file });
  return typeof pages === 'number' && Number.isSafeInteger(pages) && pages > 0 ? pages : null;
}
