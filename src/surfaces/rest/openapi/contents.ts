import type { BoundOperation } from '../../../procedures/index.js';
import { sampleOf } from './samples.js';
import { outputSchema } from './schema-forms.js';
import type { RestMeta, TextResponse, TextBody } from '../../../../contracts/metadata.js';
import {
  type MediaType,
  type ParameterObject,
  type RequestBody,
  type ResponseObject,
  type SchemaObject,
  type Part,
  headers,
  type Schemas,
} from './types.js';
import { TUS } from '../codecs/tus.js';

const textSchema: SchemaObject = { type: 'string' };

/** Input keys other than the body are query parameters. */
export function queryParameters(body: TextBody, schema: SchemaObject): ParameterObject[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, SchemaObject>);
  const required = (schema.required ?? []) as string[];
  return properties
    .filter(([name]) => name !== body.key)
    .map(([name, property]) => ({
      name,
      in: 'query',
      schema: property,
      ...(required.includes(name) && { required: true }),
    }));
}

/** The text is the whole body, a part of a form, or a key of a JSON object. */
export function textBodyOf(body: TextBody, json: MediaType, example: unknown): RequestBody {
  const form = {
    type: 'object',
    properties: {
      [body.part]: { type: 'string', contentMediaType: body.mediaType, description: 'Content of the file.' },
    },
    required: [body.part],
  };
  return {
    required: true,
    // Generators make their method from the first one.
    content: {
      'multipart/form-data': { schema: form, example: { [body.part]: example } },
      ...Object.fromEntries(
        [body.mediaType, ...(body.otherMediaTypes ?? [])].map((type) => [
          type,
          { schema: textSchema, example },
        ]),
      ),
      'application/json': json,
    },
  };
}

/** Keys of an upload that may be query parameters. */
export function uploadParameters(
  { query = [] }: NonNullable<RestMeta['upload']>,
  schema: SchemaObject,
): ParameterObject[] {
  const properties = (schema.properties ?? {}) as Record<string, SchemaObject>;
  return query.map((name) => ({ name, in: 'query', schema: properties[name] ?? {} }));
}

/** The parts of a form, the file last, or a JSON object with the file in Base64. */
export function uploadBodyOf({ part }: NonNullable<RestMeta['upload']>, json: MediaType): RequestBody {
  const { properties, required = [] } = json.schema as {
    properties: Record<string, SchemaObject>;
    required?: string[];
  };
  const { [part]: given, ...others } = properties;
  const file: SchemaObject = { type: 'string', format: 'binary', description: 'The file, the last part.' };
  const form = {
    type: 'object',
    properties: { ...others, [part]: file },
    required: [...required.filter((name) => name !== part), part],
  };
  const needed = Object.entries(others).flatMap(([name, schema]) =>
    required.includes(name) ? [[name, sampleOf(schema, {})] as const] : [],
  );
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: form,
        example: { ...Object.fromEntries(needed), [part]: 'the bytes of the file' },
      },
      'application/json': {
        ...json,
        schema: { ...json.schema, properties: { ...others, [part]: inBase64(given) } },
      },
    },
  };
}

/** The first alternative; the other is the part of the form. */
const inBase64 = ({ anyOf, description }: SchemaObject = {}): SchemaObject => ({
  ...(anyOf as SchemaObject[] | undefined)?.[0],
  description,
});

/** @param properties those of `data`, by which a reader checks what it parses */
function textResponseOf(
  response: TextResponse,
  examples: Readonly<Record<string, unknown>> | undefined,
  properties: Schemas,
): Pick<ResponseObject, 'content'> & { headers: NonNullable<ResponseObject['headers']> } {
  const parsed = response.parsedKey === undefined ? undefined : properties[response.parsedKey];
  return {
    headers: headers('Content-Disposition'),
    content: Object.fromEntries(
      [response, ...(response.others ?? [])].map(({ mediaType, key }) => [
        mediaType,
        parsed === undefined ? { schema: textSchema, example: examples?.[key] } : { schema: parsed },
      ]),
    ),
  };
}

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
const tusHeaders = (): Record<string, Part> =>
  headers('Tus-Resumable', 'Upload-Offset', 'Upload-Length', 'Upload-Expires');

/** The response to a tus client that writes. */
function tusResponses(takesBody: boolean): Record<string, ResponseObject> {
  const state = takesBody ? tusHeaders() : headers('Tus-Resumable');
  return {
    204: { description: 'Success, for tus clients.', headers: { ...headers('X-Request-Id'), ...state } },
  };
}

const json = 'application/json';

export interface RestOperation extends BoundOperation {
  readonly rest: RestMeta;
}

const streamingContent = ({ streaming }: RestMeta): Record<string, MediaType> =>
  streaming === undefined
    ? {}
    : { [streaming.mediaType]: { schema: { type: 'string' }, example: streaming.example } };

function outcomeOf({ success, startsJob }: RestMeta): [status: number, description: string] {
  if (startsJob === true) return [202, 'The job was started.'];
  return success === undefined ? [200, 'OK.'] : [success.status, 'Created.'];
}

function successOf(
  generated: ResponseObject,
  operation: RestOperation,
  schemas: Schemas,
): Record<string, ResponseObject> {
  const { rest, meta } = operation;
  const schema = outputSchema(generated.content?.[json]?.schema ?? {});
  const example = sampleOf(schema, schemas);
  const isDelivery = meta.audience === 'delivery';
  const { textResponse } = rest;
  const { data } = example as { data?: Record<string, unknown> };
  const text = textResponse && textResponseOf(textResponse, data, propertiesOfData(schema, schemas));
  const [status, description] = outcomeOf(rest);
  const own = {
    ...(isDelivery
      ? headers('Cache-Control', 'Surrogate-Key', 'X-Ignored-Parameters', 'X-Service-Data-Region')
      : {}),
    ...(rest.success ? headers('Location') : {}),
    ...(rest.versioned && data !== undefined && 'version' in data ? headers('ETag') : {}),
    ...(rest.tus === true ? tusHeaders() : {}),
    ...text?.headers,
  };
  const response: ResponseObject = {
    description,
    ...(Object.keys(own).length > 0 && { headers: own }),
    content:
      text?.content !== undefined && textResponse?.isOptional !== true
        ? text.content
        : { [json]: { schema }, ...text?.content, ...streamingContent(rest) },
  };
  const bare = rest.tus === true && rest.method !== 'GET' ? tusResponses(rest.method === 'PATCH') : {};
  return { [status]: response, ...bare };
}

const propertiesOf = (schema: SchemaObject, schemas: Schemas): Schemas => {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  return ((name === undefined ? schema : schemas[name])?.properties ?? {}) as Schemas;
};

const propertiesOfData = (schema: SchemaObject, schemas: Schemas): Schemas =>
  propertiesOf(propertiesOf(schema, schemas).data ?? {}, schemas);

const isJob = (alternative: SchemaObject, schemas: Schemas): boolean =>
  'jobId' in propertiesOf(alternative, schemas);

/** Adds a 200 response for an item that already exists. */
function withExisting(
  responses: Record<string, ResponseObject>,
  { rest }: RestOperation,
): Record<string, ResponseObject> {
  const [created] = Object.values(responses);
  if (rest.success?.existing === undefined || created === undefined) return responses;
  return { 200: { ...created, description: 'The item already existed.' }, ...responses };
}

/** One response, or 200 and 202 if the operation can be deferred. */
export function successesOf(
  generated: ResponseObject,
  operation: RestOperation,
  schemas: Schemas,
): Record<string, ResponseObject> {
  const schema = generated.content?.[json]?.schema ?? {};
  const properties = (schema.properties ?? {}) as { data?: { anyOf?: SchemaObject[] } };
  const { data } = properties;
  if (operation.rest.mayDefer === undefined || data?.anyOf === undefined)
    return withExisting(successOf(generated, operation, schemas), operation);
  const responseFor = (wantsJob: boolean): Record<string, ResponseObject> => {
    const form = data.anyOf?.find((alternative) => isJob(alternative, schemas) === wantsJob) ?? {};
    const content = { [json]: { schema: { ...schema, properties: { ...properties, data: form } } } };
    return successOf({ ...generated, content }, operation, schemas);
  };
  const [accepted] = Object.values(responseFor(true));
  return {
    ...responseFor(false),
    ...(accepted && { 202: { ...accepted, description: 'The job was scheduled.' } }),
  };
}
