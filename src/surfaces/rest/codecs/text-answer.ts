import type { IncomingMessage } from 'node:http';
import type { TextResponse } from '../../../../contracts/metadata.js';
import type { Answer, HeaderList } from '../../http/answer.js';
import { entityTag, isNotModified } from '../../http/entity.js';

interface Exchanged {
  readonly request: IncomingMessage;
  /** Without `Cache-Control` of the text itself. */
  readonly headers: HeaderList;
}

/** Caches of the client keep the text, and ask again before each use. */
function revalidated(answer: Answer & { body: { text: string } }, { request }: Exchanged): Answer {
  const tag = entityTag(answer.body.text);
  const headers = ['Cache-Control', 'private, no-cache', 'ETag', tag];
  if (isNotModified(request.headers['if-none-match'], tag)) return { status: 304, headers, body: null };
  return { ...answer, headers: [...answer.headers, ...headers] };
}

/** The text that is the response; undefined for JSON. */
export function textIn(
  response: TextResponse,
  data: Readonly<Record<string, unknown>>,
): TextResponse | undefined {
  if (response.isOptional !== true || data[response.key] !== undefined) return response;
  const other = response.others?.find(({ key }) => data[key] !== undefined);
  return other && { ...response, ...other };
}

/** The text as a download. */
export function textAnswer(
  { key, fileName, mediaType, isRevalidated }: TextResponse,
  data: Readonly<Record<string, unknown>>,
  exchanged: Exchanged,
): Answer {
  const name = String(data[fileName]).replace(/[^\w.-]/g, '_');
  const disposition = ['Content-Disposition', `attachment; filename="${name}"`];
  const body = { text: String(data[key]), mediaType: `${mediaType}; charset=utf-8` };
  if (isRevalidated === true) return revalidated({ status: 200, headers: disposition, body }, exchanged);
  return { status: 200, headers: [...exchanged.headers, ...disposition], body };
}
