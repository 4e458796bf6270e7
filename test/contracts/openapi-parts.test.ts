import { describe, expect, test } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { audiences } from '../../contracts/metadata.js';
import { sampleOf } from '../../src/surfaces/rest/openapi/samples.js';
import { at, bound, build, document, operations, operationsOf, resolved } from './described.js';

/** Every schema of a value, also those within others. */
function schemasIn(
  value: unknown,
  found = new Map<string, Record<string, unknown>>(),
): Record<string, unknown>[] {
  if (Array.isArray(value)) for (const part of value) schemasIn(part, found);
  else if (typeof value === 'object' && value !== null) {
    const { type, anyOf, oneOf, enum: values } = value as Record<string, unknown>;
    const isSchema = typeof type === 'string' || [type, anyOf, oneOf, values].some(Array.isArray);
    if (isSchema) found.set(JSON.stringify(value), value as Record<string, unknown>);
    for (const [key, part] of Object.entries(value))
      if (!['example', 'examples', 'default', 'const', 'enum'].includes(key)) schemasIn(part, found);
  }
  return [...found.values()];
}
type Schema = Record<string, unknown>;

/** Objects with properties and where they are, without those of conditions. */
function describedShapes(): [owner: string, schema: Schema][] {
  const found: [string, Schema][] = [];
  const visit = (value: unknown, owner: string) => {
    if (typeof value !== 'object' || value === null) return;
    const { properties } = value as Schema;
    if (typeof properties === 'object' && !Array.isArray(value)) found.push([owner, value as Schema]);
    for (const [key, part] of Object.entries(value))
      if (!['if', 'not', 'example', 'examples', 'default', 'const', 'enum'].includes(key)) visit(part, owner);
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name);
  for (const { operation } of operations) visit(operation, operation.operationId);
  return found;
}

describe('The OpenAPI document', () => {
  test('has patterns that every engine of regular expressions reads', () => {
    const text = JSON.stringify(document);
    const patterns = new Set(
      [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, value = '""']) => value),
    );
    const unread = /\\[pPuk]|\(\?(?!:)/;
    expect(patterns.size).toBeGreaterThan(10);
    expect(
      [...patterns].map((value) => JSON.parse(value) as string).filter((one) => unread.test(one)),
    ).toEqual([]);
  });

  test('has examples that match their schemas', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    (addFormatsModule as unknown as (ajv: Ajv2020) => void)(ajv);
    for (const format of ['binary', 'base64']) ajv.addFormat(format, true);
    ajv.addSchema(JSON.parse(JSON.stringify(document)) as object, 'document');
    // Most operations share schemas of parameters and of failures.
    const compiled = new Map<string, ValidateFunction>();
    const fits = (schema: object, example: unknown) => {
      const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
      const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
      compiled.set(text, validate);
      expect([validate(example), validate.errors]).toEqual([true, null]);
    };
    const { schemas } = document.components;
    for (const { operation } of operations) {
      for (const { schema, example } of operation.parameters ?? []) fits(schema, example);
      const contents = [operation.requestBody, ...Object.values(operation.responses)].map(
        (one) => one?.content,
      );
      for (const media of contents.flatMap((content) => Object.values(content ?? {}))) {
        const { schema, example, examples } = media;
        const given = [
          example,
          ...Object.values(examples ?? {}).map((one) => resolved<{ value: object }>(one).value),
        ];
        // Bodies of responses are made of the examples of their schemas.
        if (example === undefined && examples === undefined) given.push(sampleOf(schema, schemas));
        const shown = given.filter((value) => value !== undefined);
        expect(shown.length).toBeGreaterThan(0);
        for (const value of shown) fits(schema, value);
      }
    }
    let checked = 0;
    for (const schema of schemasIn(document)) {
      for (const value of (schema.examples ?? []) as unknown[]) fits(schema, value);
      checked += (schema.examples as unknown[] | undefined)?.length ?? 0;
    }
    expect(checked).toBeGreaterThan(100);
  }, 120_000);

  test('has no dangling references and no unused components', () => {
    for (const audience of [undefined, ...audiences]) {
      const part = build(audience);
      const text = JSON.stringify(part);
      for (const kind of ['schemas', 'parameters', 'responses', 'headers', 'examples'] as const) {
        const pointer = new RegExp(`"#/components/${kind}/([^"]+)"`, 'g');
        const pointed = new Set([...text.matchAll(pointer)].map(([, name]) => name));
        expect([...pointed].sort()).toEqual(Object.keys(part.components[kind]).sort());
      }
    }
  });

  test('of an audience has exactly the operations of it', () => {
    for (const audience of audiences) {
      const part = build(audience);
      const listed = operationsOf(part).map(({ operation }) => operation.operationId);
      const expected = bound.flatMap(({ name, meta }) =>
        meta.openapi !== undefined && meta.audience === audience
          ? [name.replace(/\.(\w)/g, (_dot, letter: string) => letter.toUpperCase())]
          : [],
      );
      const others = audience === 'delivery' ? ['deliveryPreviewStream'] : [];
      expect(listed.toSorted()).toEqual([...expected, ...others].toSorted());
      const tagged = new Set(operationsOf(part).flatMap(({ operation }) => operation.tags));
      expect(new Set(part.tags.map(({ name }) => name))).toEqual(tagged);
      const schemes = JSON.stringify(operationsOf(part).map(({ operation }) => operation.security));
      for (const name of Object.keys(part.components.securitySchemes)) expect(schemes).toContain(`"${name}"`);
    }
  });

  test('describes every property, in bodies and in parameters', () => {
    const { schemas } = document.components;
    const isDescribed = (schema: Schema): boolean => {
      if (typeof schema.description === 'string') return schema.description.length > 5;
      if (typeof schema.$ref === 'string') return isDescribed(resolved(schema as { $ref: string }));
      const others = ((schema.anyOf ?? []) as Schema[]).filter(({ type }) => type !== 'null');
      return others.length === 1 && isDescribed(others[0] ?? {});
    };
    let count = 0;
    const undescribed: string[] = [];
    for (const [owner, schema] of describedShapes())
      for (const [name, part] of Object.entries(schema.properties as Record<string, Schema>)) {
        // What `then` and `else` need is named there, and described by the schema around them.
        if (schema.type === undefined && Object.keys(part).length === 0) continue;
        count += 1;
        if (!isDescribed(part)) undescribed.push(`${owner}.${name}`);
      }
    expect(undescribed).toEqual([]);
    expect(count).toBeGreaterThan(2_000);
    expect(Object.values(schemas).length).toBeGreaterThan(300);
  });

  test('has examples that say something, also those built from a schema', () => {
    const dull = /^(?:|text|string|example|foo|bar|test|\.{3})$/i;
    const strings = (value: unknown, path: string): string[] => {
      // `text` is a kind of fields.
      if (typeof value === 'string') return dull.test(value) && !path.endsWith('.type') ? [path] : [];
      if (typeof value !== 'object' || value === null) return [];
      return Object.entries(value).flatMap(([key, part]) => strings(part, `${path}.${key}`));
    };
    const { schemas } = document.components;
    const built = operations.flatMap(({ operation: { operationId, requestBody, responses } }) =>
      [requestBody, ...Object.values(responses)]
        .flatMap((one) => Object.values(one?.content ?? {}))
        .flatMap(({ schema, example }) => strings(example ?? sampleOf(schema, schemas), operationId)),
    );
    const given = operations.flatMap(({ operation }) =>
      (operation.parameters ?? []).flatMap(({ name, example }) => strings(example, name)),
    );
    expect([...built, ...given]).toEqual([]);
  });

  test('has at most 700 KB as it is served', () => {
    expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThanOrEqual(700_000);
  });

  test('has filters that a generated client can send', () => {
    const list = at('get', '/api/delivery/projects/{slug}/sites/{siteSlug}/content/{contentTypeApiName}');
    const types = new Map(
      list.parameters?.map(({ name, schema }) => [name, (schema as { type?: string }).type]),
    );
    expect([types.get('where'), types.has('filter')]).toEqual(['string', false]);
    for (const { operation } of operations)
      for (const { name, in: place, schema } of operation.parameters ?? []) {
        const { type, properties, additionalProperties } = resolved<Record<string, unknown>>(
          schema as Record<string, unknown>,
        );
        expect([name, place, type === 'object', properties ?? additionalProperties]).toEqual([
          name,
          place,
          false,
          undefined,
        ]);
      }
  });

  test('is the same every time', () => {
    expect(JSON.stringify(build())).toBe(JSON.stringify(document));
  });

  test('leaves the contracts as strict as before', () => {
    const list = bound.find(({ name }) => name === 'entries.list');
    expect(list?.input.safeParse({ projectSlug: 'demo', page: '2' }).success).toBe(false);
  });
});
