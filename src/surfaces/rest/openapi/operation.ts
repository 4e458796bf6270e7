import type { z } from 'zod';
import type { RestMeta } from '../../../../contracts/metadata.js';
import type { BoundOperation } from '../../../procedures/index.js';
import { sampleBody, sampleOf } from './examples.js';
import { failureResponses, failuresOf, idempotencyFailures } from './failures.js';
import { takesIdempotencyKey } from '../request-headers.js';
import { confirmToken, environment, headers, ifMatch, idempotencyKey, type MediaType, type OperationObject, type ParameterObject, type Part, type RequestBody, type ResponseObject, type SchemaObject, type Schemas } from './types.js';
import { inputSchema, outputSchema, securityByAudience } from './document-info.js';
import { tusBodyOf, tusHeaders, tusParameters, tusResponses, queryParameters, textBodyOf, textResponseOf, uploadBodyOf, uploadParameters } from './text-content.js';

export interface RestOperation extends BoundOperation {
  readonly rest: RestMeta;
}

const json = 'application/json';

/** The path with aliases instead of input keys. */
export const publicPath = ({ path, pathAliases = {} }: RestMeta): string =>
  path.replace(/\{(\w+)\}/g, (whole, key: string) =>
    pathAliases[key] === undefined ? whole : `{${pathAliases[key]}}`,
  );

/** `entries.publish` → `entriesPublish`. */
const operationIdOf = (name: string): string =>
  name.replace(/\.(\w)/g, (_dot, letter: string) => letter.toUpperCase());

/** Metadata of an input key in the contract. */
function keyMeta(
  { input }: RestOperation,
  key: string,
): { description?: string | undefined; example?: unknown } {
  const schema = input.shape[key] as z.ZodType | undefined;
  return schema?.meta() ?? {};
}

/** `name[a][b]=value`. */
const nestedStrings = {
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
} as const;

/** The generator reads metadata inside `.optional()`; the contracts have it on the outside. */
function parameterOf(parameter: ParameterObject, operation: RestOperation): ParameterObject {
  const own = keyMeta(operation, parameter.name);
  const { description: inner, examples, ...schema } = inputSchema(parameter.schema ?? {});
  // The generator has no schema for a parameter with several keys.
  const isNested = Object.keys(schema).length === 0;
  const example = own.example ?? (examples as unknown[] | undefined)?.[0];
  return {
    name: operation.rest.pathAliases?.[parameter.name] ?? parameter.name,
    in: parameter.in,
    description: own.description ?? (inner as string | undefined) ?? '',
    ...(parameter.in === 'path' || parameter.required === true ? { required: true } : {}),
    // Rule lists/pages: lists are separated by commas.
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    ...(isNested ? { style: 'deepObject', explode: true } : {}),
    schema: isNested ? nestedStrings : schema,
    ...(example !== undefined && { example }),
  };
}

function bodyOf(generated: RequestBody, operation: RestOperation, schemas: Schemas): RequestBody {
  const schema = inputSchema(generated.content[json]?.schema ?? {});
  // Rule http/input: an absent body is an empty object.
  const required = ((schema.required ?? []) as string[]).length > 0;
  const body = { schema, example: sampleBody(schema, schemas) };
  const { textBody, upload, tus } = operation.rest;
  if (tus === true) return tusBodyOf(body);
  if (upload !== undefined) return uploadBodyOf(upload, body);
  if (textBody !== undefined) return textBodyOf(textBody, body, keyMeta(operation, textBody.key).example);
  return { required, content: { [json]: body } };
}

/** The example is built from the response, or else from the input. */
function locationHeader(template: string, operation: RestOperation, body: unknown): Record<string, Part> {
  const samples = { ...(body as { data?: Record<string, string> }).data };
  const example = template.replace(/\{(\w+)\}/g, (_whole, key: string) => {
    const { example: own } = keyMeta(operation, key);
    return encodeURIComponent(samples[key] ?? (typeof own === 'string' ? own : key));
  });
  return { Location: { description: 'Path of the created item.', schema: { type: 'string' }, example } };
}

const streamingContent = ({ streaming }: RestMeta): Record<string, MediaType> =>
  streaming === undefined
    ? {}
    : { [streaming.mediaType]: { schema: { type: 'string' }, example: streaming.example } };

function outcomeOf({ success, startsJob }: RestMeta): [status: number, description: string] {
  if (startsJob === true) return [202, 'The job was started.'];
  return success === undefined ? [200, 'Success.'] : [success.status, 'Created.'];
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
  const text = textResponse && textResponseOf(textResponse, data);
  const [status, description] = outcomeOf(rest);
  const response: ResponseObject = {
    description,
    headers: {
      ...headers('X-Request-Id'),
      ...(isDelivery ? {} : headers('RateLimit-Policy', 'RateLimit')),
      ...(takesIdempotencyKey(meta, rest) ? headers('Idempotent-Replayed') : {}),
      ...(isDelivery ? headers('Cache-Control', 'Surrogate-Key', 'X-Service-Data-Region') : {}),
      ...(rest.success ? locationHeader(rest.success.location, operation, example) : {}),
      ...(rest.versioned && data !== undefined && 'version' in data ? headers('ETag') : {}),
      ...(rest.tus === true ? tusHeaders() : {}),
      ...text?.headers,
    },
    content:
      text?.content !== undefined && textResponse?.isOptional !== true
        ? text.content
        : { ...text?.content, ...streamingContent(rest), [json]: { schema, example } },
  };
  const bare = rest.tus === true && rest.method !== 'GET' ? tusResponses(rest.method === 'PATCH') : {};
  return { [status]: response, ...bare };
}

function isJob(alternative: SchemaObject, schemas: Schemas): boolean {
  const name = typeof alternative.$ref === 'string' ? alternative.$ref.split('/').at(-1) : undefined;
  const { properties } = name === undefined ? alternative : (schemas[name] ?? {});
  return typeof properties === 'object' && properties !== null && 'jobId' in properties;
}

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
function successesOf(
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

/**
 * Corrects a generated operation: statuses, failure envelope, path aliases and examples.
 */
export function correctOperation(
  generated: OperationObject,
  operation: RestOperation,
  schemas: Schemas,
): OperationObject {
  const { meta, name, rest } = operation;
  const { summary, description, requestBody } = generated;
  const inQuery = rest.textBody && queryParameters(rest.textBody, requestBody?.content[json]?.schema ?? {});
  const inUpload = rest.upload && uploadParameters(rest.upload, requestBody?.content[json]?.schema ?? {});
  const parameters = [...(generated.parameters ?? []), ...(inQuery ?? inUpload ?? [])];
  const isIdempotent = takesIdempotencyKey(meta, rest);
  const all = [
    ...parameters.map((parameter) => parameterOf(parameter, operation)),
    ...(rest.versioned && operation.kind === 'mutation' ? [ifMatch] : []),
    ...(isIdempotent ? [idempotencyKey] : []),
    ...(meta.audience === 'management' || meta.audience === 'delivery' ? [environment] : []),
    ...(meta.confirmation === undefined ? [] : [confirmToken]),
    ...(rest.tus === true ? tusParameters(requestBody !== undefined) : []),
  ];
  const failures = failuresOf(meta, requestBody !== undefined);
  return {
    operationId: operationIdOf(name),
    summary,
    description,
    tags: [...rest.tags],
    security: securityByAudience[meta.audience],
    ...(all.length > 0 && { parameters: all }),
    ...(requestBody && { requestBody: bodyOf(requestBody, operation, schemas) }),
    responses: {
      ...successesOf(generated.responses['200'] as ResponseObject, operation, schemas),
      ...failureResponses(isIdempotent ? [...failures, ...idempotencyFailures] : failures),
    },
  };
}
