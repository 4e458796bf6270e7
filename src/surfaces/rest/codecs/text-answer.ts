import type { ServerResponse } from 'node:http';
import type { TextAnswer } from '../../../../contracts/metadata.js';

/** Sends the text of an answer as a file to be saved. */
export function sendText(
  response: ServerResponse,
  answer: TextAnswer,
  data: Readonly<Record<string, unknown>>,
): void {
  const bytes = Buffer.from(String(data[answer.key]), 'utf8');
  const fileName = String(data[answer.fileName]).replace(/[^\w.-]/g, '_');
  response.statusCode = 200;
  response.setHeader('Content-Type', `${answer.mediaType}; charset=utf-8`);
  response.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}
