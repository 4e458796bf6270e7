import type { AnyRouter } from '@trpc/server';
import { generateOpenApiDocument } from 'trpc-to-openapi';
import { boundOperations, type BoundOperation } from '../../../procedures/index.js';
import { failureSchema, sharedResponses } from './failures.js';
import { headerComponents, type PathItem, type SchemaObject, type Schemas } from './types.js';
import { correctOperation, publicPath, type RestOperation } from './operation.js';
import { rawPaths, rawSchemas } from './raw-paths.js';
import { inputSchema, outputSchema, reachedFrom, referencesIn, info, securitySchemes, tags } from './document-info.js';

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
