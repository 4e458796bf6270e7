import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { catalogOf, contentType, document, field, link, sampleTypes } from '../graphql/fixture.js';
import { runTypesCommand } from '../../src/cli/types/types-command.js';
import { ask, secretOf, serveFake, type FakeEndpoint } from '../graphql/fake-service.js';
import { verifies } from '../support/verifies.js';

const run = promisify(execFile);
const compiler = path.resolve('node_modules/typescript/bin/tsc');

const money = {
  apiName: 'money',
  name: 'Money',
  description: null,
  graphqlTypeName: 'Money',
  defaultValue: null,
  jsonSchema: {
    type: 'object',
    properties: { amount: { type: 'number' }, currency: { enum: ['EUR', 'USD'] } },
  },
};

/** Type names that collide with those of TypeScript and of the generated helpers. */
const collidingNames = ['array', 'maybe', 'Scalars', 'exact', 'record', 'promise', 'date', 'object'];
const catalog = catalogOf(
  [
    ...sampleTypes,
    contentType('offer', [
      field('price', 'custom', { settings: { customFieldType: 'money' }, customType: money }),
      field('class', 'text'),
      field('place', 'location'),
    ]),
    ...collidingNames.map((apiName) => contentType(apiName, [field('list', 'text', { isList: true })])),
  ],
  { customFieldTypes: [money] },
);

let endpoint: FakeEndpoint;
let folder: string;
let out: string;

beforeAll(async () => {
  endpoint = await serveFake(catalog);
  folder = await mkdtemp(path.join(tmpdir(), 'headwater-types-'));
  out = path.join(folder, 'src', 'content-types.ts');
});
afterAll(async () => {
  await endpoint.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the command; returns its output or its failure. */
async function types(...options: string[]): Promise<{ output: string } | { failure: string }> {
  let output = '';
  const print = (text: string): void => {
    output += text;
  };
  try {
    await runTypesCommand(options, { directory: folder, print });
    return { output };
  } catch (error) {
    return { failure: (error as Error).message };
  }
}

const emit = (...more: string[]) =>
  types('--url', endpoint.url, '--key', secretOf('preview'), '--out', 'src/content-types.ts', ...more);

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2022'],
  module: 'nodenext',
  types: [],
};

/** Compiler errors, line by line, for files beside the types. */
async function compilerErrors(files: Readonly<Record<string, string>>): Promise<string[]> {
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, 'src', name), text);
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  try {
    await run(process.execPath, [compiler, '-p', folder], { cwd: folder });
    return [];
  } catch (error) {
    return (error as { stdout: string }).stdout.split('\n').filter((line) => line.startsWith('src/'));
  }
}

const query = `{
  blog_postCollection { total skip limit nextCursor items {
    __typename _id _type _slug _siteId _locale _publishedAt _updatedAt
    title views price isFeatured tags meta body { raw html text links { _id } }
    author { name } categories { name } sections { __typename ... on Hero { heading } ... on Quote { words } } } }
  offerCollection { items { price { amount currency } place { lat lng } class } }
}`;

const programWith = (result: unknown) => `import type {
  Author, BlogPost, BlogPostCollection, Category, ContentEntry, Hero, Maybe, Offer, Query, Query_blog_postCollectionArgs,
  RichText, RichTextLink,
} from './content-types.js';

type Post = Pick<BlogPost, '__typename' | '_id' | '_type' | '_slug' | '_siteId' | '_locale' | '_publishedAt'
  | '_updatedAt' | 'title' | 'views' | 'price' | 'isFeatured' | 'tags' | 'meta'> & {
  body: Maybe<Pick<RichText, 'raw' | 'html' | 'text'> & { links: Pick<RichTextLink, '_id'>[] }>;
  author: Maybe<Pick<Author, 'name'>>;
  categories: Maybe<Pick<Category, 'name'>[]>;
  sections: Maybe<({ __typename: 'Hero' } & Pick<Hero, 'heading'> | { __typename: 'Quote'; words: Maybe<string> })[]>;
};
type Page = Omit<BlogPostCollection, 'items'> & { items: Post[] };
const result: { blog_postCollection: Page; offerCollection: { items: Pick<Offer, 'price' | 'place' | 'class'>[] } } =
  ${JSON.stringify(result)};

export const args: Query_blog_postCollectionArgs = { site: 'main', limit: 3, where: { any: ['thing'] } };
export const whole = (query: Query): ContentEntry[] => query.blog_postCollection.items;
export const title: string | null = result.blog_postCollection.items[0]!.title;
export const currency: 'EUR' | 'USD' | null | undefined = result.offerCollection.items[0]!.price?.currency;
`;

describe('headwater types', () => {
  verifies('graphql/types-command');

  it('emits interfaces that real results satisfy under tsc --strict', async () => {
    endpoint.published.documents = [
      document(1, 'blog_post', {
        fields: {
          title: 'Locks',
          views: 3,
          tags: ['a'],
          meta: { deep: [1] },
          body: { raw: { type: 'doc' }, html: '<p>Hi</p>', text: 'Hi' },
          author: link(2),
          sections: [link(3, 'hero')],
        },
      }),
      document(2, 'author', { fields: { name: 'Ada' } }),
      document(3, 'hero', { fields: { heading: 'H' } }),
      document(4, 'offer', {
        fields: { price: { amount: 1.5, currency: 'EUR' }, place: { lat: 1, lng: 2 }, class: 'A' },
      }),
    ];
    const { body } = await ask(endpoint, query);
    expect(body.errors).toBeUndefined();
    expect(await emit()).toEqual({ output: 'src/content-types.ts written.\n' });
    const wrong = { ...body.data, offerCollection: { items: [{ price: { amount: 'much' }, class: 7 }] } };
    const output = await compilerErrors({
      'use.ts': programWith(body.data),
      'misuse.ts': programWith(wrong),
    });
    expect(output.filter((line) => !line.startsWith('src/misuse.ts'))).toEqual([]);
    expect(output.join('\n')).toContain('error TS2322');
  });

  it('emits the same text for the same schema in any creation order', async () => {
    await emit();
    const first = await readFile(out, 'utf8');
    endpoint.catalog = catalogOf([...catalog.data.contentTypes].reverse(), {
      customFieldTypes: [money],
      revision: '2',
    });
    expect(await emit()).toEqual({ output: 'src/content-types.ts is up to date.\n' });
    expect(await readFile(out, 'utf8')).toBe(first);
    expect(await types('--url', endpoint.url, '--key', secretOf('management'))).toEqual({ output: first });
    for (const name of ['BlogPost extends', 'Money {', 'Array_ extends', 'Maybe_ extends'])
      expect(first).toContain(`export interface ${name}`);
  });

  it('with --check writes nothing and fails when the file is out of date', async () => {
    await emit();
    expect(await emit('--check')).toHaveProperty('output');
    await writeFile(out, 'export {};\n');
    const failure = 'src/content-types.ts is out of date. Run the command without --check.';
    expect(await emit('--check')).toEqual({ failure });
    expect(await readFile(out, 'utf8')).toBe('export {};\n');
    await rm(out);
    expect(await emit('--check')).toEqual({ failure });
  });

  it.each([
    ['Use a preview or management key', () => types('--url', endpoint.url, '--key', secretOf('delivery'))],
    ['another project', () => types('--url', endpoint.url, '--key', secretOf('preview', 2))],
    ['not valid', () => types('--url', endpoint.url, '--key', 'nonsense')],
    ['HEADWATER_KEY', () => types('--url', endpoint.url)],
    ['--url', () => types('--key', 'x')],
    ['--out', () => types('--url', endpoint.url, '--key', 'x', '--check')],
    ['cannot be reached', () => types('--url', 'http://127.0.0.1:1/', '--key', 'x')],
    ['without a schema', () => types('--url', 'data:text/html,hello', '--key', 'x')],
    ['Unknown option', () => types('--nonsense')],
  ])('fails with one line containing %s', async (output, call) => {
    const failure = (await call()) as { failure: string };
    expect(failure.failure).toContain(output);
    expect(failure.failure).not.toContain('\n');
  });

  it("runs through the package's bin", async () => {
    const { bin } = JSON.parse(await readFile('package.json', 'utf8')) as { bin: { headwater: string } };
    const options = ['types', '--url', endpoint.url, '--out', 'src/from-command.ts'];
    const env = { ...process.env, HEADWATER_KEY: secretOf('preview') };
    const { stdout } = await run(process.execPath, [path.resolve(bin.headwater), ...options], {
      cwd: folder,
      env,
    });
    expect(stdout).toBe('src/from-command.ts written.\n');
    const failed = run(process.execPath, [path.resolve(bin.headwater), 'types'], { cwd: folder });
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^headwater: .*\n$/),
    });
  });
});
