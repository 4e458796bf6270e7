import { parentPort } from 'node:worker_threads';
import type { Audience } from '../../contracts/metadata.js';
import { appRouter } from '../procedures/index.js';
import { buildOpenApiDocument } from '../surfaces/rest/openapi/openapi-document.js';
import { version } from './config/config.js';

/** Entry point of the thread that describes the REST interface, of one audience or of all. */
parentPort?.on('message', (audience: Audience | null) => {
  const document = buildOpenApiDocument(appRouter, { version, audience: audience ?? undefined });
  parentPort?.postMessage(JSON.stringify(document));
});
