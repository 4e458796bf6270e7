import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runCommand, UsageError } from '../command-line.js';
import { chmod, copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { build, type Plugin } from 'esbuild';
import { version } from '../../process/config/config.js';
import { appRouter, boundOperations } from '../../procedures/index.js';
import { buildDeclarations } from '../client-package/declarations.js';
import { frameworkFiles, frameworkSources } from '../client-package/framework-files.js';
import { deliveryRoutes, managementRoutes } from '../client-package/operation-routes.js';

const readme = `# headwater-client

A typed client of headwater ${version} for Node 20 and later, browsers, edge runtimes, Deno and Bun.

\`\`\`ts
import { createDeliveryClient, createManagementClient, HeadwaterError, image } from 'headwater-client';

const site = createDeliveryClient({ url: 'https://cms.example', project: 'demo', site: 'main', key: 'hwd_…' });
for await (const article of site.listContent.all({ contentTypeApiName: 'article', include: 1 }))
  console.log(article._slug, article.fields.title);

const manage = createManagementClient({ url: 'https://cms.example', project: 'demo', key: 'hwm_…' });
try {
  const { data: sites } = await manage.sites.list();
  const { data } = await manage.entries.create({
    siteId: sites[0].id,
    contentTypeApiName: 'article',
    fields: { title: 'Hello' },
  });
  await manage.entries.publish({ id: data.id });
} catch (error) {
  if (error instanceof HeadwaterError && error.code === 'validation_failed') console.log(error.details);
}
\`\`\`

\`npx headwater types --rest --url … --project demo --key hwm_… --out content-types.ts\` writes the content types of a project,
with which entries have their fields at each depth:

\`\`\`ts
import type { Article, ContentTypes } from './content-types.js';

const typed = createDeliveryClient<ContentTypes>({ url: 'https://cms.example', project: 'demo', site: 'main' });
const { data } = await typed.listContent({ contentTypeApiName: 'article', include: 1 });
const byline = ({ fields: { author } }: Article<1>) => ('fields' in author ? author.fields.name : undefined);
console.log(data.map(byline));
\`\`\`

- \`Article<2>\` is an article read with \`include: 2\`. A reference is an entry where the read reaches it and readers can see it,
  else a link: \`'fields' in value\` narrows it to an entry, \`_type\` to one content type. Required fields are not null;
  in drafts they can be: \`createDeliveryClient<ContentTypes<'draft'>>\`. After a field became required, publish its entries again.
- \`headwater-client/rich-text\`, \`/react\`, \`/vue\` and \`/svelte\` write rich text with components of a site: see RICH-TEXT.md.
- The methods are the operations of the service by group and name; \`.all\` reads the items of every page. Operations that
  send or return files are left out: they are requests of the REST interface.
- A read is repeated after a failure of the network, 429, 502, 503 and 504, with the pause that the service asks for; so is
  a POST, which has an \`Idempotency-Key\`. Responses are kept by their \`ETag\`.
- \`image(asset, { width })\` makes \`src\`, \`srcset\`, \`width\` and \`height\` of an \`img\` element, \`verifyWebhook(secret, { headers, body })\`
  checks a delivery, and \`livePreview({ …, onChange })\` listens to drafts in a browser.
- \`Inputs\`, \`Outputs\` and shapes such as \`Entry\` and \`DeliveryEntry\` are types of both REST and tRPC, whose clients take
  \`AppRouter\`. In addresses of REST delivery the slug of the project is \`{slug}\`; in types it is \`projectSlug\` everywhere.
- \`npx headwater\` writes types of a project's content, keeps the schema of a project in a file, waits for jobs, mirrors a
  site into a folder, writes a site with Astro or Next (\`npx headwater init astro\`), exports a project and imports exports of other systems; each command has \`--help\`.
`;

const manifest = {
  name: 'headwater-client',
  version,
  description: 'Typed client of headwater.',
  license: 'UNLICENSED',
  type: 'module',
  sideEffects: false,
  types: './index.d.ts',
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './rich-text': { types: './rich-text.d.ts', default: './rich-text.js' },
    './react': { types: './react.d.ts', default: './react.js' },
    './vue': { types: './vue.d.ts', default: './vue.js' },
    './svelte': { types: './svelte.d.ts', svelte: './svelte.js', default: './svelte.js' },
  },
  bin: { headwater: './headwater.cjs' },
  files: ['*.d.ts', '*.js', '*.svelte', '*.md', 'starters', 'headwater.cjs'],
  engines: { node: '>=20' },
  peerDependencies: {
    '@trpc/server': '^11.25.0',
    react: '>=18',
    svelte: '>=5',
    vue: '>=3.3',
  },
  peerDependenciesMeta: {
    react: { optional: true },
    svelte: { optional: true },
    vue: { optional: true },
  },
};

const EXAMPLES = 'test/examples';
/** Starters, with the files of the preview examples that each has too. */
const starters = {
  astro: ['astro.config.mjs', 'src/pages/preview.js', 'src/pages/leave.js'],
  next: ['next.config.mjs', 'src/app/preview/route.js', 'src/app/leave/route.js'],
};
const SOURCES = 'src/cli/client-package';
const ROUTES = /operation-routes\.js$/;

/** Routes are computed here, so that the package has them without the contracts. */
const computedRoutes: Plugin = {
  name: 'computed-routes',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: ROUTES }, () => ({ path: 'operation-routes', namespace: 'computed' }));
    onLoad({ filter: /./, namespace: 'computed' }, () => ({
      contents: `export const deliveryRoutes = ${JSON.stringify(deliveryRoutes)};
export const managementRoutes = ${JSON.stringify(managementRoutes)};`,
    }));
  },
};

/** Messages of zod in other languages than English, of which the command prints none. */
const withoutLanguages: Plugin = {
  name: 'without-languages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, ({ importer }) =>
      /[\\/]zod[\\/]/.test(importer) ? { path: 'languages', namespace: 'empty' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'empty' }, () => ({ contents: '' }));
  },
};

/** Modules of the package by their sources; each is one file, from which bundlers take what is used. */
async function bundleModules(root: string, folder: string): Promise<void> {
  for (const name of ['index', 'rich-text'])
    await build({
      absWorkingDir: root,
      entryPoints: [`${SOURCES}/${name}.ts`],
      outfile: path.join(folder, `${name}.js`),
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      target: 'es2022',
      legalComments: 'none',
      plugins: [computedRoutes],
      logLevel: 'warning',
    });
}

/** Declarations of the modules that index.ts exports. */
async function writeDeclarations(root: string, folder: string): Promise<void> {
  const { default: ts } = await import('typescript').catch((cause: unknown) => {
    throw new UsageError(
      'The client package is made in a checkout with its development dependencies: npm ci.',
      { cause },
    );
  });
  const sources = [
    'index',
    'clients',
    'content',
    'service-calls',
    'image',
    'live-preview',
    'rich-text',
    'rich-text-parts',
    'rich-text-types',
    'webhook',
  ];
  for (const name of sources) {
    const source = await readFile(path.join(root, SOURCES, `${name}.ts`), 'utf8');
    const { outputText } = ts.transpileDeclaration(source, { fileName: `${name}.ts` });
    await writeFile(path.join(folder, `${name}.d.ts`), outputText);
  }
}

/** Each starter as a whole: what all have, what it has alone, and what the preview examples have. */
async function writeStarters(examples: string, folder: string): Promise<void> {
  for (const [name, files] of Object.entries(starters)) {
    const into = path.join(folder, name);
    for (const part of ['shared', name])
      await cp(path.join(examples, 'starters', part), into, { recursive: true });
    for (const file of files)
      await cp(path.join(examples, 'preview', name, file), path.join(into, file), { recursive: true });
  }
}

/** The command with the libraries that it needs, so that the package has no dependencies. */
async function bundleCommand(root: string, file: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['src/cli/client-package/headwater-client.ts'],
    outfile: file,
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    // Of modules, only what is used becomes part of the file.
    mainFields: ['module', 'main'],
    target: 'node20',
    legalComments: 'none',
    banner: { js: '#!/usr/bin/env node' },
    plugins: [withoutLanguages],
    logLevel: 'warning',
  });
  await chmod(file, 0o755);
}

/**
 * Rebuilds the folder of the client package.
 * @param root the directory of package.json
 */
export async function buildClient(root: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const write = (name: string, content: string) => writeFile(path.join(folder, name), content);
  await write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  await write('operations.d.ts', buildDeclarations(boundOperations(appRouter)));
  await writeDeclarations(root, folder);
  await bundleModules(root, folder);
  for (const name of frameworkSources)
    await copyFile(path.join(root, SOURCES, name), path.join(folder, name));
  for (const [name, content] of Object.entries(frameworkFiles)) await write(name, content);
  await write('README.md', readme);
  await writeStarters(path.join(root, EXAMPLES), path.join(folder, 'starters'));
  await copyFile(path.join(root, SOURCES, 'README.md'), path.join(folder, 'RICH-TEXT.md'));
  await bundleCommand(root, path.join(folder, 'headwater.cjs'));
}

const help = `
Usage: npm run build:client -- [<folder>]

Makes the package headwater-client for TypeScript clients in a folder, by default dist/client; npm pack turns it into
one file. It has clients of delivery and management, the type AppRouter, shapes, and the commands of headwater
that need no installation.
`;

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [folder = 'dist/client', ...rest] = positionals;
  if (rest.length > 0) throw new UsageError('Name one folder.');
  await buildClient(process.cwd(), path.resolve(folder));
  console.log(`Client package written to ${folder}: npm pack ./${folder} makes one file of it.`);
}

runCommand(help, main);
