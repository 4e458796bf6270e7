import type { Audience } from '../../contracts/metadata.js';
import { boundOperations } from '../../src/procedures/index.js';
import { buildOpenApiDocument } from '../../src/surfaces/rest/openapi/openapi-document.js';
import { fakeRouter } from '../mcp/fake-service.js';

export interface Reference {
  $ref: string;
  description?: string;
}
interface Media {
  schema: Record<string, unknown>;
  example?: unknown;
  examples?: Record<string, Reference>;
}
export interface Response {
  description: string;
  headers?: Record<string, { example?: string } | Reference>;
  content?: Record<string, Media>;
}
export interface Parameter {
  name: string;
  in: string;
  description: string;
  required?: boolean;
  schema: object;
  example?: unknown;
  explode?: boolean;
}
export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security?: object[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Response | Reference>;
}
export interface Document {
  info: { description: string };
  security: object[];
  paths: Record<string, Record<string, Operation | (Parameter | Reference)[]>>;
  tags: { name: string; description: string }[];
  components: {
    schemas: Record<string, Record<string, unknown>>;
    parameters: Record<string, Parameter>;
    headers: Record<string, object>;
    examples: Record<string, object>;
    securitySchemes: Record<string, object>;
    responses: Record<string, Response>;
  };
}

export const build = (audience?: Audience) =>
  buildOpenApiDocument(fakeRouter(), { version: '1.2.3', audience }) as Document;
export const document = build();
/** The component of a document that a reference names. */
export function resolved<T extends object>(value: T | Reference, part = document): T {
  if (!('$ref' in value)) return value;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  const found = (part.components as unknown as Record<string, Record<string, T>>)[kind]?.[name];
  if (found === undefined) throw new Error(`${value.$ref} does not exist`);
  const { description } = value;
  const target = resolved(found, part);
  return description === undefined ? target : { ...target, description };
}
/** The operation with its shared parameters and responses resolved. @param shared parameters of its path */
const whole = (part: Document, operation: Operation, shared: (Parameter | Reference)[]) => ({
  ...operation,
  security: operation.security ?? part.security,
  parameters: [...shared, ...(operation.parameters ?? [])].map((parameter) =>
    resolved<Parameter>(parameter, part),
  ),
  responses: Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => [
      status,
      resolved<Response>(response, part),
    ]),
  ) as Record<string, Response | undefined>,
});
export const operationsOf = (part: Document) =>
  Object.entries(part.paths).flatMap(([path, { parameters = [], ...item }]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method,
      operation: whole(part, operation as Operation, parameters as (Parameter | Reference)[]),
    })),
  );
export const operations = operationsOf(document);
export const at = (method: string, path: string) => {
  const found = operations.find((one) => one.method === method && one.path === path);
  if (found === undefined) throw new Error(`${method} ${path} is not described`);
  return found.operation;
};
export const bound = boundOperations(fakeRouter());
export const byId = new Map(operations.map(({ operation }) => [operation.operationId, operation]));
export const describedAs = (name: string) =>
  byId.get(name.replace(/\.(\w)/g, (_dot, letter: string) => letter.toUpperCase()));
