/** The parts of an OpenAPI 3.1 document that are worked on here. */
export type SchemaObject = Record<string, unknown>;

/** A body in one media type. */
export interface MediaType {
  schema?: SchemaObject;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

/** A header, parameter or other part that may stand for itself or point to a component. */
export type Part = Record<string, unknown>;

/** A parameter of a path or query. */
export interface ParameterObject {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema?: SchemaObject;
  [key: string]: unknown;
}

/** One response. */
export interface ResponseObject {
  description: string;
  headers?: Record<string, Part>;
  content?: Record<string, MediaType>;
}

/** A part that stands among the components. */
interface Reference {
  $ref: string;
}

/** Responses by status; failures that many share are references. */
export type Responses = Record<string, ResponseObject | Reference>;

/** A request body. */
export interface RequestBody {
  required?: boolean;
  description?: string;
  content: Record<string, MediaType>;
}

/** One operation of a path. */
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

/** Operations of one path by method in lower case. */
export type PathItem = Record<string, OperationObject>;

/** Schemas of `components` by name. */
export type Schemas = Record<string, SchemaObject>;
