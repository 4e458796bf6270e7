// The compiler of Relay reads the published schema and writes the artifacts of a query with a fragment.
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const { SCHEMA, MANAGEMENT_KEY } = process.env;
const schema = await fetch(SCHEMA, { headers: { authorization: `Bearer ${MANAGEMENT_KEY}` } });
await mkdir('relay/src', { recursive: true });
await writeFile('relay/schema.graphql', await schema.text());
await writeFile(
  'relay/src/Page.js',
  `graphql\`
    query PageQuery($limit: Int!) {
      articleCollection(limit: $limit) { items { ...Page_article } }
    }
  \`;
  graphql\`
    fragment Page_article on Article { _id title }
  \`;
`,
);
const config = { src: './src', schema: './schema.graphql', language: 'typescript', eagerEsModules: true };
await writeFile('relay/relay.config.json', JSON.stringify(config));
const compiler = createRequire(import.meta.url).resolve('relay-compiler/cli.js');
await promisify(execFile)(process.execPath, [compiler, 'relay.config.json'], { cwd: 'relay' });
const artifacts = (await readdir('relay/src/__generated__')).sort();
const page = await readFile('relay/src/__generated__/Page_article.graphql.ts', 'utf8');
console.log(JSON.stringify({ artifacts, title: /readonly title: ([^;]+);/.exec(page)?.[1] }));
