import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { typeNameOf } from '../../src/content/model/api-names.js';
import { startBeside, type TestApp } from '../support/app.js';
import { must, send } from '../support/call.js';
import { createEntry, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { useApp } from '../support/desk.js';

/** Changes per writer. Set GRAPHQL_FUZZ_CHANGES for longer runs: 200 take one to two minutes. */
const CHANGES = Number(process.env.GRAPHQL_FUZZ_CHANGES ?? 15);
const WRITERS = 3;
const READERS = 4;

const app = useApp();
let other: TestApp;
let project: TestProject;

beforeAll(async () => {
  other = await startBeside(app());
  project = await createProject(app());
});
afterAll(async () => {
  await other.close();
});

/** A GraphQL response. */
interface Answer {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

async function ask(
  { baseUrl }: { baseUrl: string },
  query: string,
  key = project.keys.preview,
): Promise<Answer> {
  const response = await fetch(`${baseUrl}/api/graphql/${project.slug}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  });
  return { status: response.status, body: await response.json() };
}

/** Names of a type's own fields as a process serves them, or null when the type does not exist. */
async function fieldsIn(process: { baseUrl: string }, apiName: string): Promise<string[] | null> {
  const { body } = await ask(process, `{ __type(name: "${typeNameOf(apiName)}") { fields { name } } }`);
  const type = body.data.__type as { fields: { name: string }[] } | null;
  return type?.fields.map(({ name }) => name).filter((name) => !name.startsWith('_')) ?? null;
}

/** A content type as known to the only writer that changes it. */
interface KnownType {
  apiName: string;
  fields: string[];
  hasEntries: boolean;
}

const types = () => `${project.management}/content-types`;
const management = <T = { id: string }>(
  method: 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> =>
  must<T>(app(), { method, path, key: project.keys.management, ...(body !== undefined && { body }) });

/** Deterministic random numbers below a bound. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

class Writer {
  readonly #types: KnownType[] = [];
  readonly #next: (below: number) => number;
  #count = 0;

  constructor(
    private readonly name: string,
    seed: number,
  ) {
    this.#next = randomFrom(seed);
  }

  /** Makes one acknowledged change; returns the names that must and must not exist after it. */
  async change(): Promise<{ type: KnownType | null; gone: string | null }> {
    this.#count += 1;
    const number = this.#count;
    const type = this.#types[this.#next(Math.max(1, this.#types.length))];
    if (type === undefined || this.#types.length < 2) return { type: await this.#create(number), gone: null };
    const path = `${types()}/${type.apiName}`;
    const field = type.fields[this.#next(type.fields.length)];
    switch (this.#next(6)) {
      case 0:
        return { type: await this.#create(number), gone: null };
      case 1:
        if (type.hasEntries) return { type, gone: null };
        await management('DELETE', path);
        this.#types.splice(this.#types.indexOf(type), 1);
        return { type: null, gone: type.apiName };
      case 2: {
        const gone = type.apiName;
        type.apiName = `${this.name}Renamed${String(number)}`;
        await management('POST', `${path}/rename`, { apiName: type.apiName });
        return { type, gone };
      }
      case 3:
        if (field === undefined) return { type, gone: null };
        await management('POST', `${path}/fields/${field}/rename`, { apiName: `renamed${String(number)}` });
        type.fields[type.fields.indexOf(field)] = `renamed${String(number)}`;
        return { type, gone: null };
      case 4:
        if (field === undefined || type.fields.length < 2) return { type, gone: null };
        await management('DELETE', `${path}/fields/${field}?force=true`);
        type.fields.splice(type.fields.indexOf(field), 1);
        return { type, gone: null };
      default: {
        const kinds = ['text', 'richText', 'reference', 'blocks', 'json', 'location'];
        const apiName = `field${String(number)}`;
        await management('POST', `${path}/fields`, {
          apiName,
          name: apiName,
          type: kinds[this.#next(kinds.length)],
        });
        type.fields.push(apiName);
        return { type, gone: null };
      }
    }
  }

  async #create(number: number): Promise<KnownType> {
    const type = { apiName: `${this.name}Type${String(number)}`, fields: ['title'], hasEntries: false };
    await management('POST', types(), {
      apiName: type.apiName,
      name: 'Type',
      fields: [{ apiName: 'title', type: 'text' }],
    });
    this.#types.push(type);
    if (number % 3 === 0) {
      type.hasEntries = true;
      const { id } = await createEntry(app(), project, {
        contentTypeApiName: type.apiName,
        fields: { title: 'T' },
      });
      await publish(app(), project, id);
    }
    return type;
  }
}

/** Queries names from the recent schema until `isDone`; returns the outcomes. */
async function read(isDone: () => boolean, seed: number): Promise<Map<string, number>> {
  const next = randomFrom(seed);
  const seen = new Map<string, number>();
  while (!isDone()) {
    const process = next(2) === 0 ? app() : other;
    const { body: schema } = await ask(process, '{ __schema { types { name fields { name } } } }');
    const all = schema.data.__schema.types as { name: string; fields: { name: string }[] | null }[];
    const collections =
      all.find(({ name }) => name === 'Query')?.fields?.filter(({ name }) => name.endsWith('Collection')) ??
      [];
    const collection = collections[next(Math.max(1, collections.length))]?.name ?? 'noneCollection';
    const key = next(2) === 0 ? project.keys.delivery : project.keys.preview;
    const { status, body } = await ask(
      process,
      `{ ${collection} { total items { __typename _id _slug } } }`,
      key,
    );
    const codes = ((body.errors ?? []) as { extensions: { code: string } }[]).map(
      ({ extensions }) => extensions.code,
    );
    const outcome = [status, ...new Set(codes)].join(' ');
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
  }
  return seen;
}

describe('Project schema during content type changes', () => {
  verifies('graphql/schema-current');

  it(
    'is never older than the last acknowledged change in any process and never fails',
    async () => {
      let isDone = false;
      const readers = Array.from({ length: READERS }, (_, index) => read(() => isDone, index + 1));
      const write = async (_: unknown, index: number): Promise<void> => {
        const writer = new Writer(`w${String(index)}`, 100 + index);
        for (let change = 0; change < CHANGES; change += 1) {
          const { type, gone } = await writer.change();
          for (const process of [app(), other]) {
            if (type !== null)
              expect((await fieldsIn(process, type.apiName))?.sort()).toEqual([...type.fields].sort());
            if (gone !== null) expect(await fieldsIn(process, gone)).toBeNull();
          }
        }
      };
      try {
        await Promise.all(Array.from({ length: WRITERS }, write));
      } finally {
        isDone = true;
      }
      const outcomes = new Set((await Promise.all(readers)).flatMap((seen) => [...seen.keys()]));
      // Names read a moment ago may have been deleted, which makes the query invalid.
      expect([...outcomes].filter((one) => one !== '200' && one !== '400 graphql_validation_failed')).toEqual(
        [],
      );
      expect(outcomes).toContain('200');
    },
    60_000 + CHANGES * 3000,
  );

  it('rejects a name that another type uses, in either order', async () => {
    const custom = (graphqlTypeName: string, apiName: string) =>
      send(app(), {
        method: 'POST',
        path: `${project.management}/custom-field-types`,
        key: project.keys.management,
        body: {
          apiName,
          name: 'Custom',
          graphqlTypeName,
          jsonSchema: { type: 'object', properties: { a: { type: 'string' } } },
        },
      });
    const content = (apiName: string) =>
      send(app(), {
        method: 'POST',
        path: types(),
        key: project.keys.management,
        body: { apiName, name: 'Type' },
      });
    expect((await content('price')).status).toBe(201);
    expect((await content('Price')).body.error).toBe('api_name_conflict');
    for (const name of ['Price', 'PriceCollection', 'Query', 'RichText'])
      expect([name, (await custom(name, `custom${name}`)).body.error]).toEqual([
        name,
        'graphql_type_name_conflict',
      ]);
    expect((await custom('Money', 'money')).status).toBe(201);
    expect((await content('money')).body.error).toBe('graphql_type_name_conflict');
    expect((await ask(app(), '{ __typename }')).status).toBe(200);
  });
});
