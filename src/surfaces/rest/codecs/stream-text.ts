import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A pipeline waits for the end of a response in six ways, beside the log, the bounds and the cache. */
const LISTENERS = 20;

/** Sends a text while it is made, so that it never stands in memory as a whole; to HEAD its head alone. */
export async function streamText(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  parts: AsyncIterable<string>,
): Promise<void> {
  response.statusCode = 200;
  response.setMaxListeners(LISTENERS);
  if (request.method === 'HEAD') response.end();
  else await pipeline(Readable.from(parts), response);
}
