import type { AnyRouter } from '@trpc/server';
import { generateOpenApiDocument } from 'trpc-to-openapi';
import { boundOperations, type BoundOperation } from '../../../procedures/index.js';
import { failureExamples, failureSchema, sharedResponses, failuresOf } from './failures.js';
import {
  headerComponents,
  type PathItem,
  type SchemaObject,
  type Schemas,
  confirmToken,
  environment,
  ifMatch,
  idempotencyKey,
  type OperationObject,
  type ParameterObject,
  type RequestBody,
  type ResponseObject,
} from './types.js';
import { inputSchema, outputSchema } from './schema-forms.js';
import { rawPaths, rawSchemas } from './raw-paths.js';
import { shareParts } from './shared-parts.js';
import {
  foldUnions,
  named,
  reachedFrom,
  referredTo,
  referencesIn,
  info,
  securitySchemes,
  tags,
  securityByAudience,
} from './document-info.js';
import type { z } from 'zod';
import type { Audience, RestMeta } from '../../../../contracts/metadata.js';
import {
  tusBodyOf,
  tusParameters,
  queryParameters,
  textBodyOf,
  uploadBodyOf,
  uploadParameters,
  successesOf,
  type RestOperation,
} from './contents.js';
import { takesIdempotencyKey } from '../request-headers.js';

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

/**
 * `filter[field][op]=value`, for which the generator has no schema and OpenAPI no style: clients that are generated from
 * the document send `where` (rule delivery/where).
 */
const isNested = ({ schema = {} }: ParameterObject): boolean =>
  Object.keys(inputSchema(schema)).every((key) => key === 'description' || key === 'examples');

/** The generator reads metadata inside `.optional()`; the contracts have it on the outside. */
function parameterOf(parameter: ParameterObject, operation: RestOperation): ParameterObject {
  const own = keyMeta(operation, parameter.name);
  const { description: inner, examples, ...schema } = inputSchema(parameter.schema ?? {});
  const example = own.example ?? parameter.schema?.example ?? (examples as unknown[] | undefined)?.[0];
  return {
    name: operation.rest.pathAliases?.[parameter.name] ?? parameter.name,
    in: parameter.in,
    description: own.description ?? (inner as string | undefined) ?? '',
    ...(parameter.in === 'path' || parameter.required === true ? { required: true } : {}),
    // Rule lists/pages: lists are separated by commas.
    ...(schema.type === 'array' ? { explode: false } : {}),
    schema,
    ...(example !== undefined && { example }),
  };
}

function bodyOf(generated: RequestBody, operation: RestOperation): RequestBody {
  const given = inputSchema(generated.content[json]?.schema ?? {});
  const needed = ((given.required ?? []) as string[]).length;
  const isChange =
    operation.rest.method === 'PUT' && operation.meta.errors?.includes('no_update_fields') === true;
  // Rule http/input: a PUT names what it changes.
  const schema = { ...given, ...(isChange && { minProperties: needed + 1 }), ...operation.rest.bodyRule };
  // Rule http/input: an absent body is an empty object.
  const required = needed > 0 || schema.minProperties !== undefined;
  const body = { schema };
  const { textBody, upload, tus } = operation.rest;
  if (tus === true) return tusBodyOf(body);
  if (upload !== undefined) return uploadBodyOf(upload, body);
  if (textBody !== undefined) return textBodyOf(textBody, body, keyMeta(operation, textBody.key).example);
  return { required, content: { [json]: body } };
}

/** Corrects a generated operation: statuses, failure envelope, path aliases and examples. */
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
    ...parameters
      .filter((parameter) => !isNested(parameter))
      .map((parameter) => parameterOf(parameter, operation)),
    ...(rest.versioned && operation.kind === 'mutation' ? [ifMatch] : []),
    ...(isIdempotent ? [idempotencyKey] : []),
    ...(meta.audience === 'management' || meta.audience === 'delivery' ? [environment] : []),
    ...(meta.confirmation === undefined ? [] : [confirmToken]),
    ...(rest.tus === true ? tusParameters(requestBody !== undefined) : []),
  ];
  return {
    operationId: operationIdOf(name),
    summary,
    description,
    tags: [...rest.tags],
    security: securityByAudience[meta.audience],
    ...(all.length > 0 && { parameters: all }),
    ...(requestBody && { requestBody: bodyOf(requestBody, operation) }),
    responses: {
      ...successesOf(generated.responses['200'] as ResponseObject, operation, schemas),
      ...failuresOf(meta, requestBody !== undefined, isIdempotent),
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

interface DocumentOptions {
  /** Version of the service. */
  readonly version: string;
  /** Describes operations of one audience only. */
  readonly audience?: Audience | undefined;
}

/** Paths beside the contracts. */
const otherPaths = (audience: Audience | undefined): Record<string, PathItem> =>
  Object.fromEntries(
    Object.entries(rawPaths).filter(
      ([path]) => audience === undefined || (audience === 'delivery' && path.startsWith('/api/delivery/')),
    ),
  );

/** OpenAPI 3.1 document of the contracts. The output is deterministic. */
export function buildOpenApiDocument(router: AnyRouter, { version, audience }: DocumentOptions): object {
  const operations = boundOperations(router)
    .filter(isRest)
    .filter(({ meta }) => audience === undefined || meta.audience === audience)
    .map((operation): RestOperation => ({ ...operation, rest: operation.meta.openapi }));
  const generated = generate(router, version);
  const all = correctSchemas(generated);
  const described = { ...correctPaths(generated, operations, all), ...otherPaths(audience) };
  const failures = sharedResponses(described);
  const reached = reachedFrom(referencesIn([described, failures]), all);
  const listed = Object.values(described).flatMap((item) => Object.values(item));
  const used = new Set(listed.flatMap((operation) => operation.tags));
  const security = securityByAudience[audience ?? 'management'];
  const shared = shareParts({
    paths: described,
    schemas: foldUnions(named(all, reached)),
    responses: failures,
    security,
  });
  const { paths, schemas, parameters, responses } = shared;
  const schemes = new Set([security, ...listed.map((one) => one.security ?? [])].flat().flatMap(Object.keys));
  return {
    openapi: '3.1.0',
    info: { ...info, version },
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    security,
    tags: tags.filter(({ name }) => used.has(name)),
    paths,
    components: {
      securitySchemes: named(securitySchemes, schemes),
      parameters,
      headers: named(headerComponents, referredTo('headers', [paths, responses])),
      responses,
      examples: failureExamples(failures),
      schemas,
    },
  };
}
