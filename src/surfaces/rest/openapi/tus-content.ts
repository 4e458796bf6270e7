import { TUS } from '../codecs/tus.js';
import { headers } from './headers.js';
import type { MediaType, ParameterObject, Part, RequestBody, ResponseObject } from './types.js';

const resumable: ParameterObject = {
  name: 'Tus-Resumable',
  in: 'header',
  description: 'Version of the tus protocol. With it, successful writes are 204.',
  schema: { type: 'string', enum: ['1.0.0'] },
  example: '1.0.0',
};

const uploadOffset: ParameterObject = {
  name: 'Upload-Offset',
  in: 'header',
  description: 'Position of the first byte, if the body is bytes.',
  schema: { type: 'integer' },
  example: 0,
};

/** @param takesBody whether the operation appends bytes */
export const tusParameters = (takesBody: boolean): ParameterObject[] =>
  takesBody ? [resumable, uploadOffset] : [resumable];

/** Bytes, or a JSON object with few of them in Base64. */
export function tusBodyOf(json: MediaType): RequestBody {
  const { schema } = json;
  const { properties } = schema as { properties: Record<string, Part> };
  const { content, ...others } = properties;
  const [inBase64 = {}] = (content?.anyOf ?? []) as Part[];
  return {
    required: true,
    content: {
      [TUS]: { schema: { type: 'string', format: 'binary' }, example: 'the next bytes of the file' },
      'application/json': {
        ...json,
        schema: { ...schema, properties: { ...others, content: inBase64 } },
      },
    },
  };
}

/** The state of the upload, for tus clients. */
export const tusHeaders = (): Record<string, Part> =>
  headers('Tus-Resumable', 'Upload-Offset', 'Upload-Length', 'Upload-Expires');

/** The response to a tus client that writes. */
export function tusResponses(takesBody: boolean): Record<string, ResponseObject> {
  const state = takesBody ? tusHeaders() : headers('Tus-Resumable');
  return { 204: { description: 'Success, for tus clients.', headers: { ...headers('X-Request-Id'), ...state } } };
}
