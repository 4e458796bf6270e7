import type { AnyRouter } from '@trpc/server';
import { generateOpenApiDocument } from 'trpc-to-openapi';
import { boundOperations, type BoundOperation } from '../../../procedures/index.js';
import { failureSchema, sharedResponses, failureResponses, failuresOf, idempotencyFailures } from './failures.js';
import { headerComponents, type PathItem, type SchemaObject, type Schemas, confirmToken, environment, headers, ifMatch, idempotencyKey, type MediaType, type OperationObject, type ParameterObject, type Part, type RequestBody, type ResponseObject } from './types.js';
import { rawPaths, rawSchemas } from './raw-paths.js';
import { inputSchema, outputSchema, reachedFrom, referencesIn, info, securitySchemes, tags, securityByAudience } from './document-info.js';
import type { z } from 'zod';
import type { RestMeta } from '../../../../contracts/metadata.js';
import { sampleBody, sampleOf } from './examples.js';
import { takesIdempotencyKey } from '../request-headers.js';
import { tusBodyOf, tusHeaders, tusParameters, tusResponses, queryParameters, textBodyOf, textResponseOf, uploadBodyOf, uploadParameters } from './text-content.js';

interface RestOperation extends BoundOperation {
  readonly rest: RestMeta;
}

const json = 'application/json';

/** The path with aliases instead of input keys. */
const publicPath = ({ path, pathAliases = {} }: RestMeta): string =>
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
function correctOperation(
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

interface Generated {
  readonly paths: Record<string, PathItem>;
  readonly components: { readonly schemas: Schemas };
}

const isRest = (
  operation: BoundOperation,
): operation is BoundOperation & { meta: { openapi: RestOperation['rest'] } } =>
  operation.meta.openapi !== undefined;

function generate(router: AnyRouter, version: string): Generated {
  // The generator's type accepts routers with its own metadata only.
  const document = generateOpenApiDocument(router as never, {
    title: info.title,
    version,
    baseUrl: '/',
    openApiVersion: '3.1.0',
  });
  return JSON.parse(JSON.stringify(document)) as Generated;
}

/** Without the generator's error schemas. Schemas used in responses only allow additional properties. */
function correctSchemas({ paths, components }: Generated): Schemas {
  const sent = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ requestBody, parameters }) => referencesIn({ requestBody, parameters })),
  );
  const inputs = reachedFrom(sent, components.schemas);
  const ours = Object.entries(components.schemas).filter(([name]) => !name.startsWith('error.'));
  const corrected = ours.map(([name, schema]): [string, SchemaObject] => [
    name,
    inputs.has(name) ? inputSchema(schema) : outputSchema(schema),
  ]);
  return Object.fromEntries(
    [...corrected, ['Failure', failureSchema] as const, ...Object.entries(rawSchemas)].sort(([a], [b]) =>
      a < b ? -1 : 1,
    ),
  );
}

function correctPaths(
  { paths }: Generated,
  operations: readonly RestOperation[],
  schemas: Schemas,
): Record<string, PathItem> {
  const corrected: Record<string, PathItem> = {};
  for (const operation of operations) {
    const { rest } = operation;
    const method = rest.method.toLowerCase();
    const generated = paths[rest.path]?.[method];
    if (generated === undefined) throw new Error(`${operation.name} is not in the generated document`);
    const path = publicPath(rest);
    corrected[path] = { ...corrected[path], [method]: correctOperation(generated, operation, schemas) };
  }
  return corrected;
}

/**
 * OpenAPI 3.1 document of the contracts. The output is deterministic.
 * @param options.version version of the service
 */
export function buildOpenApiDocument(router: AnyRouter, { version }: { version: string }): object {
  const operations = boundOperations(router)
    .filter(isRest)
    .map((operation): RestOperation => ({ ...operation, rest: operation.meta.openapi }));
  const generated = generate(router, version);
  const schemas = correctSchemas(generated);
  const paths = { ...correctPaths(generated, operations, schemas), ...rawPaths };
  const used = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).flatMap((operation) => operation.tags)),
  );
  return {
    openapi: '3.1.0',
    info: { ...info, version },
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    tags: tags.filter(({ name }) => used.has(name)),
    paths,
    components: { securitySchemes, headers: headerComponents, responses: sharedResponses(paths), schemas },
  };
}
