import {
  extendSchemas,
  inlineShort,
  type OperationObject,
  type ParameterObject,
  type Part,
  type PathItem,
  type ResponseObject,
  type SchemaObject,
  type Schemas,
  type ServedPath,
} from './types.js';
import { STEP, withoutRepeats, withParts, type PartVisit } from './schema-forms.js';
import { freeName, SharedSchemas } from './shared-schemas.js';

/** The name of what a response returns, such as `EntryData`. */
function hintOf(schema: SchemaObject, operation: string, part: string): string {
  const { data } = (schema.properties ?? {}) as { data?: { $ref?: string; items?: { $ref?: string } } };
  const [suffix, pointer] =
    data?.items?.$ref === undefined ? ['Data', data?.$ref] : ['List', data.items.$ref];
  return pointer === undefined
    ? `${operation}${part}`
    : `${operation}${STEP}${pointer.split('/').at(-1) ?? ''}${suffix}`;
}

type Visited = (operation: OperationObject) => OperationObject;

const mapOperations = (paths: Record<string, PathItem>, visit: Visited): Record<string, PathItem> =>
  Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, visit(operation)])),
    ]),
  );

type Content = NonNullable<OperationObject['requestBody']>['content'];

const mapContent = (content: Content, of: [operation: string, part: string], visit: PartVisit): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      media.schema === undefined
        ? media
        : { ...media, schema: visit(media.schema, hintOf(media.schema, ...of)) },
    ]),
  );

/** Schemas of the parameters and the bodies of an operation. */
function mapSchemas(operation: OperationObject, visit: PartVisit): OperationObject {
  const { operationId, parameters, requestBody, responses } = operation;
  const mapped = Object.entries(responses).map(([status, response]): [string, typeof response] => {
    if ('$ref' in response || response.content === undefined) return [status, response];
    return [status, { ...response, content: mapContent(response.content, [operationId, 'Result'], visit) }];
  });
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters.map((one) =>
        one.schema === undefined
          ? one
          : { ...one, schema: visit(one.schema, `${operationId}${STEP}${one.name}`) },
      ),
    }),
    ...(requestBody && {
      requestBody: { ...requestBody, content: mapContent(requestBody.content, [operationId, 'Body'], visit) },
    }),
    responses: Object.fromEntries(mapped),
  };
}

/** Parameters that more than one operation has, the most frequent of a name first. */
function parameterNames(paths: Record<string, PathItem>): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  mapOperations(paths, (operation) => {
    for (const parameter of operation.parameters ?? []) {
      const key = JSON.stringify(parameter);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return operation;
  });
  const shared = [...counts].filter(([, count]) => count > 1).sort(([, a], [, b]) => b - a);
  const taken = new Set<string>();
  const named = shared.map(([key]): [string, string] => {
    const name = freeName((JSON.parse(key) as ParameterObject).name, taken);
    taken.add(name);
    return [key, name];
  });
  return new Map(named);
}

/** Writes a parameter that is named in one place there: all operations of a path may have had it. */
function inlineSingle({ parameters, paths, ...others }: SharedParts): SharedParts {
  let text = JSON.stringify(paths);
  const kept = Object.entries(parameters).filter(([name, parameter]) => {
    const pieces = text.split(`{"$ref":"#/components/parameters/${name}"}`);
    if (pieces.length === 2) text = pieces.join(JSON.stringify(parameter));
    return pieces.length > 2;
  });
  return {
    ...others,
    paths: JSON.parse(text) as SharedParts['paths'],
    parameters: Object.fromEntries(kept),
  };
}

/** Writes parameters that all operations of a path have with the path. */
function withPathParameters(item: PathItem): ServedPath {
  const operations = Object.entries(item);
  const texts = operations.map(([, { parameters = [] }]) => parameters.map((one) => JSON.stringify(one)));
  const [first = [], ...others] = texts;
  const common = new Set(first.filter((text) => others.every((some) => some.includes(text))));
  if (others.length === 0 || common.size === 0) return item;
  const own = operations.map(([method, { parameters = [], ...operation }]): [string, OperationObject] => {
    const rest = parameters.filter((one) => !common.has(JSON.stringify(one)));
    return [method, { ...operation, ...(rest.length > 0 && { parameters: rest }) }];
  });
  return { parameters: [...common].map((text) => JSON.parse(text) as Part), ...Object.fromEntries(own) };
}

const COMPONENT = '#/components/responses/';

/** What a response may be called: as its schema, or as the failure that it names first. */
function nameOfResponse(response: OperationObject['responses'][string]): string | undefined {
  if (!('$ref' in response)) {
    const { $ref } = response.content?.['application/json']?.schema ?? {};
    return $ref === undefined ? undefined : ($ref as string).split('/').at(-1);
  }
  const code = /`([a-z_]+)`/.exec(response.description ?? '')?.[1];
  return code?.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Responses that several operations have, with the names of their schemas. */
class SharedResponses {
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();
  readonly #taken: Set<string>;

  constructor(private readonly others: Readonly<Record<string, ResponseObject>>) {
    this.#taken = new Set(Object.keys(others));
  }

  readonly count: Visited = (operation) => {
    for (const response of Object.values(operation.responses)) {
      const key = JSON.stringify(response);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
    return operation;
  };

  readonly replace: Visited = (operation) => {
    const responses = Object.entries(operation.responses).map(([status, response]) => [
      status,
      this.#shared(response),
    ]);
    return { ...operation, responses: Object.fromEntries(responses) as OperationObject['responses'] };
  };

  #shared(response: OperationObject['responses'][string]): OperationObject['responses'][string] {
    const key = JSON.stringify(response);
    const wanted = nameOfResponse(response);
    if (wanted === undefined || !this.#isShorter(key, wanted)) return response;
    const name = this.#names.get(key) ?? freeName(wanted, this.#taken);
    this.#taken.add(name);
    this.#names.set(key, name);
    return { $ref: `${COMPONENT}${name}` };
  }

  /** Whether it is shorter to write a response once, and its name each time. */
  #isShorter(key: string, name: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    const reference = `{"$ref":"${COMPONENT}${name}"}`.length;
    return count > 1 && count * (key.length - reference) > key.length + name.length + 4;
  }

  components(): Record<string, ResponseObject> {
    const own = [...this.#names].map(([key, name]) => [name, JSON.parse(key) as ResponseObject] as const);
    return { ...this.others, ...Object.fromEntries(own) };
  }
}

interface Described {
  readonly paths: Record<string, PathItem>;
  readonly schemas: Schemas;
  readonly responses: Readonly<Record<string, ResponseObject>>;
  /** Of the document: operations with another one name theirs. */
  readonly security: OperationObject['security'];
}

interface SharedParts {
  readonly paths: Record<string, ServedPath>;
  readonly schemas: Schemas;
  readonly parameters: Record<string, ParameterObject>;
  readonly responses: Record<string, ResponseObject>;
}

/** Writes what several operations have once, as a component. */
export function shareParts({ paths, schemas, responses, security: usual }: Described): SharedParts {
  const shared = new SharedSchemas(schemas);
  for (const [name, schema] of Object.entries(schemas)) withParts(schema, name, shared.count);
  mapOperations(paths, (operation) => mapSchemas(operation, shared.count));
  shared.name();
  const named = mapOperations(paths, (operation) => mapSchemas(operation, shared.replace));
  const names = parameterNames(named);
  const rewritten = mapOperations(named, ({ parameters, security, ...others }) => {
    const isUsual = JSON.stringify(security) === JSON.stringify(usual);
    const references = parameters?.map((parameter): ParameterObject | Part => {
      const name = names.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    });
    return {
      ...others,
      ...(!isUsual && security && { security }),
      ...(references && { parameters: references as ParameterObject[] }),
    };
  });
  const sharedResponses = new SharedResponses(responses);
  mapOperations(rewritten, sharedResponses.count);
  const served = Object.entries(mapOperations(rewritten, sharedResponses.replace));
  const parameters = [...names].map(([key, name]): [string, ParameterObject] => [
    name,
    JSON.parse(key) as ParameterObject,
  ]);
  const { all, derived } = shared.components();
  const parts = {
    paths: Object.fromEntries(served.map(([path, item]) => [path, withPathParameters(item)])),
    schemas: all,
    parameters: Object.fromEntries(parameters.sort(([a], [b]) => (a < b ? -1 : 1))),
    responses: sharedResponses.components(),
  };
  const { schemas: kept, ...others } = inlineShort(parts, derived);
  // What only one schema has left, since others extend it, is written there.
  const extended = inlineShort({ ...others, schemas: extendSchemas(kept) }, derived);
  return inlineSingle(withoutRepeats(extended));
}
