import type { z } from 'zod';
import type { RestMeta } from '../../../../contracts/metadata.js';
import type { BoundOperation } from '../../../procedures/index.js';
import { sampleBody, sampleOf } from './examples.js';
import { failureResponses, failuresOf, idempotencyFailures } from './failures.js';
import { takesIdempotencyKey } from '../idempotency.js';
import { headers, ifMatch, idempotencyKey } from './headers.js';
import { inputSchema, outputSchema } from './schemas.js';
import { queryParameters, textBodyOf, textResponseOf } from './raw-text.js';
import { securityByAudience } from './texts.js';
import type {
  MediaType,
  OperationObject,
  ParameterObject,
  Part,
  RequestBody,
  ResponseObject,
  SchemaObject,
  Schemas,
} from './types.js';

/** A bound operation that REST serves. */
export interface RestOperation extends BoundOperation {
  readonly rest: RestMeta;
}

const json = 'application/json';

/** The path as callers write it: aliases in place of input keys. */
export const publishedPath = ({ path, pathAliases = {} }: RestMeta): string =>
  path.replace(/\{(\w+)\}/g, (whole, key: string) =>
    pathAliases[key] === undefined ? whole : `{${pathAliases[key]}}`,
  );

/** `entries.publish` as an identifier: `entriesPublish`. */
const operationIdOf = (name: string): string =>
  name.replace(/\.(\w)/g, (_dot, letter: string) => letter.toUpperCase());

/** What the contract says of an input key, on the outermost layer of its schema. */
function saidOf(
  { input }: RestOperation,
  key: string,
): { description?: string | undefined; example?: unknown } {
  const schema = input.shape[key] as z.ZodType | undefined;
  return schema?.meta() ?? {};
}

/** An object of objects of texts: `name[a][b]=text`. */
const nestedTexts = {
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
} as const;

/** The generator reads what stands inside `.optional()`; what is said about the parameter stands on it. */
function parameterOf(parameter: ParameterObject, operation: RestOperation): ParameterObject {
  const own = saidOf(operation, parameter.name);
  const { description: inner, examples, ...schema } = inputSchema(parameter.schema ?? {});
  // The generator sees nothing of what stands in several parameters.
  const isNested = Object.keys(schema).length === 0;
  const example = own.example ?? (examples as unknown[] | undefined)?.[0];
  return {
    name: operation.rest.pathAliases?.[parameter.name] ?? parameter.name,
    in: parameter.in,
    description: own.description ?? (inner as string | undefined) ?? '',
    ...(parameter.in === 'path' || parameter.required === true ? { required: true } : {}),
    // A list is one value with commas (decisions 2.6).
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    ...(isNested ? { style: 'deepObject', explode: true } : {}),
    schema: isNested ? nestedTexts : schema,
    ...(example !== undefined && { example }),
  };
}

function bodyOf(generated: RequestBody, operation: RestOperation, schemas: Schemas): RequestBody {
  const schema = inputSchema(generated.content[json]?.schema ?? {});
  // An absent body is an empty one (decisions 2.30).
  const required = ((schema.required ?? []) as string[]).length > 0;
  const body = { schema, example: sampleBody(schema, schemas) };
  const { textBody } = operation.rest;
  if (textBody !== undefined) return textBodyOf(textBody, body, saidOf(operation, textBody.key).example);
  return { required, content: { [json]: body } };
}

/** The template filled with examples: keys of the new item, else of the input. */
function locationHeader(template: string, operation: RestOperation, body: unknown): Record<string, Part> {
  const samples = { ...(body as { data?: Record<string, string> }).data };
  const example = template.replace(/\{(\w+)\}/g, (_whole, key: string) => {
    const { example: own } = saidOf(operation, key);
    return encodeURIComponent(samples[key] ?? (typeof own === 'string' ? own : key));
  });
  return { Location: { description: 'Path of what was created.', schema: { type: 'string' }, example } };
}

/** What an answer is beside JSON where it is sent while it is read. */
const streamingContent = ({ streaming }: RestMeta): Record<string, MediaType> =>
  streaming === undefined
    ? {}
    : { [streaming.mediaType]: { schema: { type: 'string' }, example: streaming.example } };

function successOf(
  generated: ResponseObject,
  operation: RestOperation,
  schemas: Schemas,
): Record<string, ResponseObject> {
  const { rest, meta } = operation;
  const schema = outputSchema(generated.content?.[json]?.schema ?? {});
  const example = sampleOf(schema, schemas);
  const isDelivery = meta.audience === 'delivery';
  const { textAnswer } = rest;
  const { data } = example as { data?: Record<string, unknown> };
  const text = textAnswer && textResponseOf(textAnswer, data?.[textAnswer.key]);
  const response: ResponseObject = {
    description: rest.success === undefined ? 'Done.' : 'Created.',
    headers: {
      ...headers('X-Request-Id'),
      ...(isDelivery ? {} : headers('RateLimit-Policy', 'RateLimit')),
      ...(takesIdempotencyKey(meta, rest) ? headers('Idempotent-Replayed') : {}),
      ...(isDelivery ? headers('Cache-Control', 'Surrogate-Key', 'X-Service-Data-Region') : {}),
      ...(rest.success ? locationHeader(rest.success.location, operation, example) : {}),
      ...(rest.versioned && data !== undefined && 'version' in data ? headers('ETag') : {}),
      ...text?.headers,
    },
    content: text?.content ?? { ...streamingContent(rest), [json]: { schema, example } },
  };
  return { [rest.success?.status ?? 200]: response };
}

/** Whether an alternative of `data` is a job: something that will be done later. */
function isJob(alternative: SchemaObject, schemas: Schemas): boolean {
  const name = typeof alternative.$ref === 'string' ? alternative.$ref.split('/').at(-1) : undefined;
  const { properties } = name === undefined ? alternative : (schemas[name] ?? {});
  return typeof properties === 'object' && properties !== null && 'jobId' in properties;
}

/** The same answer under 200, where the operation may find that there is nothing to create. */
function withExisting(
  answers: Record<string, ResponseObject>,
  { rest }: RestOperation,
): Record<string, ResponseObject> {
  const [created] = Object.values(answers);
  if (rest.success?.existing === undefined || created === undefined) return answers;
  return { 200: { ...created, description: 'It was there already.' }, ...answers };
}

/** The answers of an operation: one, or the two alternatives of `data` under their statuses. */
function successesOf(
  generated: ResponseObject,
  operation: RestOperation,
  schemas: Schemas,
): Record<string, ResponseObject> {
  const schema = generated.content?.[json]?.schema ?? {};
  const { data } = (schema.properties ?? {}) as { data?: { anyOf?: SchemaObject[] } };
  if (operation.rest.mayDefer === undefined || data?.anyOf === undefined)
    return withExisting(successOf(generated, operation, schemas), operation);
  const answer = (isWanted: boolean): Record<string, ResponseObject> => {
    const form = data.anyOf?.find((alternative) => isJob(alternative, schemas) === isWanted) ?? {};
    const content = { [json]: { schema: { ...schema, properties: { data: form } } } };
    return successOf({ ...generated, content }, operation, schemas);
  };
  const [accepted] = Object.values(answer(true));
  return { ...answer(false), ...(accepted && { 202: { ...accepted, description: 'Will be done later.' } }) };
}

/**
 * The generated description of an operation, corrected: true statuses, our failure envelope, the
 * names that callers use, examples.
 */
export function correctOperation(
  generated: OperationObject,
  operation: RestOperation,
  schemas: Schemas,
): OperationObject {
  const { meta, name, rest } = operation;
  const { summary, description, requestBody } = generated;
  const inQuery = rest.textBody && queryParameters(rest.textBody, requestBody?.content[json]?.schema ?? {});
  const parameters = [...(generated.parameters ?? []), ...(inQuery ?? [])];
  const isOnce = takesIdempotencyKey(meta, rest);
  const all = [
    ...parameters.map((parameter) => parameterOf(parameter, operation)),
    ...(rest.versioned && operation.kind === 'mutation' ? [ifMatch] : []),
    ...(isOnce ? [idempotencyKey] : []),
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
      ...failureResponses(isOnce ? [...failures, ...idempotencyFailures] : failures),
    },
  };
}
