import type { TextResponse } from '../../../../contracts/metadata.js';
import type { Answer, HeaderList } from '../../http/answer.js';

/** The text as a download. */
export function textAnswer(
  { key, fileName, mediaType }: TextResponse,
  data: Readonly<Record<string, unknown>>,
  headers: HeaderList,
): Answer {
  const name = String(data[fileName]).replace(/[^\w.-]/g, '_');
  return {
    status: 200,
    headers: [...headers, 'Content-Disposition', `attachment; filename="${name}"`],
    body: { text: String(data[key]), mediaType: `${mediaType}; charset=utf-8` },
  };
}
