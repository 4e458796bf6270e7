import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inLongRun } from './support/extent.js';

const root = path.resolve(import.meta.dirname, '..');
const { forbidden } = createRequire(import.meta.url)(path.join(root, '.dependency-cruiser.cjs')) as {
  forbidden: { name: string }[];
};

const belowDeployment = [
  'shared',
  'environments',
  'routing',
  'access',
  'media',
  'publishing',
  'operations',
  'entries',
  'content',
  'editorial',
  'insight',
  'tenancy',
];

/** One import per row that the rule must refuse: rule, importing file, what it imports. */
const planted: readonly (readonly [rule: string, file: string, specifier: string])[] = [
  ['contracts-stand-alone', 'contracts/planted-express.ts', 'express'],
  ['contracts-stand-alone', 'contracts/planted-src.ts', '../src/content/target.js'],
  ['contract-shapes-run-in-browsers', 'contracts/content/pages/planted-server.ts', '@trpc/server'],
  [
    'contract-shapes-run-in-browsers',
    'contracts/content/pages/planted-builder.ts',
    '../../target-builder.js',
  ],
  ['content-is-pure', 'src/content/planted-io.ts', 'node:fs'],
  ['content-is-pure', 'src/content/planted-random.ts', 'node:crypto'],
  ['content-is-pure', 'src/content/planted-ids.ts', '../infrastructure/target.js'],
  ['access-is-pure', 'src/access/planted-io.ts', 'node:net'],
  ['access-is-pure', 'src/access/planted-feature.ts', '../features/entries/entries/index.js'],
  ['features-below-surfaces', 'src/features/deployment/pages/planted-up.ts', '../../../procedures/target.js'],
  [
    'features-by-their-index',
    'src/features/deployment/pages/planted-inside.ts',
    '../../entries/entries/inside.js',
  ],
  [
    'use-cases-see-the-unit-of-work',
    'src/features/deployment/pages/planted-pool.ts',
    '../../../persistence/connections/read-pool.js',
  ],
  [
    'use-cases-see-the-unit-of-work',
    'src/features/deployment/pages/planted-models.ts',
    '../../../persistence/models/index.js',
  ],
  [
    'repositories-see-tables',
    'src/features/deployment/pages/planted-log.repository.ts',
    '../../../persistence/target.js',
  ],
  ['sequelize-in-repositories', 'src/features/deployment/pages/planted-orm.ts', 'sequelize'],
  ['features-know-no-driver', 'src/features/deployment/pages/planted-driver.repository.ts', 'pg'],
  ['features-know-no-protocol', 'src/features/deployment/pages/planted-express.ts', 'express'],
  ['features-know-no-protocol', 'src/features/deployment/pages/planted-graphql.ts', 'graphql'],
  [
    'features-know-no-protocol',
    'src/features/deployment/pages/planted-mcp.ts',
    '@modelcontextprotocol/sdk/types.js',
  ],
  ['persistence-below-features', 'src/persistence/planted-contract.ts', '../../contracts/target.js'],
  [
    'persistence-below-features',
    'src/persistence/planted-feature.ts',
    '../features/entries/entries/index.js',
  ],
  ['infrastructure-at-the-bottom', 'src/infrastructure/planted-config.ts', '../../contracts/target.js'],
  ['procedures-bind', 'src/procedures/planted-inside.ts', '../features/entries/entries/inside.repository.js'],
  ['procedures-bind', 'src/procedures/planted-pool.ts', '../persistence/connections/read-pool.js'],
  ['procedures-bind', 'src/procedures/planted-surface.ts', '../surfaces/rest/target.js'],
  ['procedures-know-no-protocol', 'src/procedures/planted-express.ts', 'express'],
  ['surfaces-above-procedures', 'src/surfaces/mcp/planted-rows.ts', '../../persistence/work/unit-of-work.js'],
  ['surfaces-know-no-database', 'src/surfaces/mcp/planted-driver.ts', 'pg'],
  ['surfaces-apart', 'src/surfaces/mcp/planted-rest.ts', '../rest/target.js'],
  ['surfaces-apart', 'src/surfaces/http/planted-rest.ts', '../rest/target.js'],
  ['process-on-top', 'src/infrastructure/planted-process.ts', '../process/target.js'],
  ['process-on-top', 'src/surfaces/mcp/planted-command.ts', '../../cli/target.js'],
  ['process-without-commands', 'src/process/planted-command.ts', '../cli/target.js'],
  ['commands-are-started', 'test/support/planted-command.ts', '../../src/cli/commands/target.js'],
  ['admin-in-browsers', 'src/admin/planted-feature.ts', '../features/entries/entries/index.js'],
  ['admin-in-browsers', 'src/admin/planted-driver.ts', 'pg'],
  ['admin-without-server-code', 'src/admin/planted-router.ts', '../procedures/app-router.js'],
  ['admin-alone', 'src/procedures/planted-admin.ts', '../admin/target.js'],
  ['product-without-tests', 'src/procedures/planted-test.ts', '../../test/target.js'],
  ['declared-dependencies', 'src/infrastructure/planted-dev.ts', 'supertest'],
  ['declared-dependencies', 'src/surfaces/docs/planted-react.ts', 'react'],
  ['declared-dependencies', 'src/admin/planted-undeclared.ts', 'sharp'],
  ['resolvable', 'src/infrastructure/planted-nothing.ts', './missing.js'],
  ['no-cycles', 'src/infrastructure/planted-cycle.ts', './target-cycle.js'],
  ['area-deployment', 'src/features/deployment/pages/planted-area.ts', '../../insight/plans/index.js'],
  ...belowDeployment.map(
    (area) =>
      [
        `area-${area}`,
        `src/features/${area}/pages/planted-area.ts`,
        '../../deployment/plans/index.js',
      ] as const,
  ),
  ['areas-are-named', 'src/features/elsewhere/pages/planted-area.ts', '../../shared/target.js'],
];

/** Permit type imports of what they refuse. */
const typesAlone = new Set(['admin-without-server-code']);

/** What the planted imports point to; everything is used by something, so that only the planted orphan is one. */
const targets: Readonly<Record<string, string>> = {
  'contracts/target.ts': '',
  'contracts/target-builder.ts': "import type {} from '@trpc/server';",
  'src/process/target.ts': '',
  'src/cli/target.ts': '',
  'src/cli/commands/target.ts': '',
  'src/content/target.ts': '',
  'src/features/entries/entries/inside.ts': '',
  'src/features/entries/entries/inside.repository.ts': '',
  'src/features/entries/entries/index.ts':
    "export * from './inside.js'; export * from './inside.repository.js';",
  'src/features/shared/target.ts': '',
  'src/features/deployment/plans/index.ts': '',
  'src/features/insight/plans/index.ts': '',
  'src/infrastructure/target.ts': '',
  'src/infrastructure/target-cycle.ts': "export * from './planted-cycle.js';",
  'src/infrastructure/planted-orphan.ts': '',
  'src/persistence/target.ts': '',
  'src/persistence/connections/read-pool.ts': '',
  'src/persistence/work/unit-of-work.ts': '',
  'src/persistence/models/index.ts': '',
  'src/procedures/target.ts': '',
  'src/procedures/app-router.ts': '',
  'src/admin/target.ts': '',
  'src/surfaces/http/target.ts': '',
  'src/surfaces/rest/target.ts': '',
  'test/target.ts': '',
};

/** Imports that the same rules must let pass, or they would refuse everything. */
const permitted: Readonly<Record<string, string>> = {
  'contracts/fine.ts': 'zod',
  'contracts/content/pages/fine.ts': '../../target.js',
  'src/content/fine.ts': '../../contracts/target.js',
  'src/access/fine.ts': 'node:crypto',
  'src/features/deployment/pages/fine-feature.ts': '../../entries/entries/index.js',
  'src/features/deployment/pages/fine-work.ts': '../../../persistence/work/unit-of-work.js',
  'src/features/deployment/pages/fine.repository.ts': '../../../persistence/connections/read-pool.js',
  'src/features/deployment/pages/fine-orm.repository.ts': 'sequelize',
  'src/persistence/fine.ts': 'sequelize',
  'src/procedures/fine.ts': '../features/entries/entries/index.js',
  'src/procedures/fine-use-case.ts': '../features/entries/entries/inside.js',
  'src/surfaces/rest/fine.ts': '../../procedures/target.js',
  'src/surfaces/rest/fine-shared.ts': '../http/target.js',
  'src/admin/fine.ts': '../procedures/app-router.js',
  'src/admin/fine-library.ts': 'react',
  'src/admin/fine-shared-library.ts': 'zod',
  'src/main.ts': './process/target.js',
};

/** Runs dependency-cruiser over a tree; answers `rule file` for each violation. */
async function violationsIn(directory: string): Promise<string[]> {
  const cruiser = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [
    cruiser,
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
    'contracts',
    'src',
    'test',
  ];
  const output = await new Promise<string>((resolve, reject) => {
    const options = { cwd: directory, maxBuffer: 100_000_000 };
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      // The exit code is the number of violations; without a report there was a failure of another kind.
      if (stdout.startsWith('{')) resolve(stdout);
      else reject(new Error(stderr, { cause: error }));
    });
  });
  const { summary } = JSON.parse(output) as {
    summary: { violations: { from: string; rule: { name: string } }[] };
  };
  return summary.violations.map(({ from, rule }) => `${rule.name} ${from}`);
}

async function plant(directory: string): Promise<void> {
  const asImport = (specifier: string) => `import type {} from '${specifier}';`;
  const files = [
    ...Object.entries(targets),
    ...planted.map(([rule, file, specifier]) => [
      file,
      typesAlone.has(rule) ? `import '${specifier}';` : asImport(specifier),
    ]),
    ...Object.entries(permitted).map(([file, specifier]) => [file, asImport(specifier)] as const),
  ];
  for (const [file, text] of files) {
    await mkdir(path.dirname(path.join(directory, file)), { recursive: true });
    await writeFile(path.join(directory, file), `${text}\n`);
  }
  for (const file of ['.dependency-cruiser.cjs', 'package.json', 'src/admin/package.json', 'tsconfig.json']) {
    await copyFile(path.join(root, file), path.join(directory, file));
  }
  await symlink(path.join(root, 'node_modules'), path.join(directory, 'node_modules'));
}

describe('import boundaries', () => {
  let directory: string;
  let found: string[];

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'headwater-boundaries-'));
    await plant(directory);
    found = await violationsIn(directory);
  });

  afterAll(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  // Also the step `npm run boundaries` of `npm run check`.
  inLongRun(() => {
    it('are kept by the whole tree', async () => {
      expect(await violationsIn(root)).toEqual([]);
    }, 120_000);
  });

  it.each(planted)('%s refuses what %s imports (%s)', (rule, file) => {
    expect(found).toContain(`${rule} ${file}`);
  });

  it('no-orphans refuses a module that nothing is tied to', () => {
    expect(found).toContain('no-orphans src/infrastructure/planted-orphan.ts');
  });

  it('let pass what the architecture permits', () => {
    expect(found.filter((violation) => violation.includes('fine'))).toEqual([]);
    expect(found.filter((violation) => violation.includes('main.ts'))).toEqual([]);
  });

  it('have a planted import for every rule', () => {
    const tried = new Set(['no-orphans', ...planted.map(([rule]) => rule)]);
    expect(forbidden.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
  });
});
