/** Parts of an OpenAPI 3.1 document. */
export type SchemaObject = Record<string, unknown>;

export interface MediaType {
  schema?: SchemaObject;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

/** A part of the document or a reference to a component. */
export type Part = Record<string, unknown>;

export interface ParameterObject {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema?: SchemaObject;
  [key: string]: unknown;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, Part>;
  content?: Record<string, MediaType>;
}

interface Reference {
  $ref: string;
}

/** Responses by status. */
export type Responses = Record<string, ResponseObject | Reference>;

export interface RequestBody {
  required?: boolean;
  description?: string;
  content: Record<string, MediaType>;
}

export interface OperationObject {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: ParameterObject[];
  requestBody?: RequestBody;
  responses: Responses;
}

/** Operations by method in lower case. */
export type PathItem = Record<string, OperationObject>;

export type Schemas = Record<string, SchemaObject>;
