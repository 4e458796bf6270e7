import { readFileSync } from 'node:fs';

/** The code blocks of a chapter of a page, by language. */
function codeOf(page: string, chapter: RegExp, language: 'sh' | 'ini'): readonly string[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  const fences = new RegExp('^```' + language + '\\n([^]*?)^```$', 'gm');
  return [...(chapter.exec(text)?.[0] ?? '').matchAll(fences)].map(([, code = '']) => code);
}

const steps = ['Install', 'Database and settings', 'Start', 'TLS', 'Back up and restore', 'Upgrade'] as const;

/** The commands that set up a server, by the headings of their steps. */
export const serverSteps: ReadonlyMap<string, string> = new Map(
  steps.map((name) => [
    name,
    codeOf('src/deploy/README.md', new RegExp(`^### \\d+\\. ${name}$[^]*?(?=^##)`, 'm'), 'sh').join(''),
  ]),
);

const pointInTime = /^### To a point in time$[^]*?(?=^## )/m;
/** In order: base backup with media, restore. */
export const pointInTimeCommands = codeOf('src/process/README.md', pointInTime, 'sh');
export const archiveSettings = codeOf('src/process/README.md', pointInTime, 'ini').join('');

/** In order: export from a restored service, import beside the present state. */
export const projectCopyCommands =
  codeOf('src/process/README.md', /^## Backup and restore$[^]*?(?=^### )/m, 'sh')
    .find((code) => code.startsWith('headwater export'))
    ?.trim()
    .split('\n') ?? [];

const linesOf = (codes: Iterable<string>): readonly string[] => [
  ...new Set([...codes].flatMap((code) => code.trim().split('\n'))),
];

/** A README command that the suite does not run. */
export interface DeclaredCommand {
  readonly line: string;
  readonly reason: string;
  /** The project file that reads the command's options, if any. */
  readonly file?: string;
}

const installs = 'replaces the dependencies of the checkout';
const serves = 'runs until it is stopped; every other suite starts the service the same way';
const builds = 'every suite builds the app with the service';
const tests = 'this suite is part of it';
const inBrowser = 'needs a browser, and runs after this suite';
const runsElsewhere =
  'runs in test/cli/pg-dump.long.test.ts, which has the client tools in the version of its server';
const needsEmptyDatabase = 'needs an empty database; runs in test/cli/backup.test.ts';
const packages = 'changes the machine; test/cli/package.test.ts starts the package';
const inContainers = 'needs a container engine; test/cli/container.long.test.ts runs the Dockerfile';
const onServer =
  'changes the machine; test/deploy/server.long.test.ts and test/cli/point-in-time.long.test.ts run it with folders in place of it';
const besideAnother = 'needs two services; runs in test/cli/restored-project.test.ts';
const inCluster =
  'needs a cluster; test/deploy/units.test.ts and test/deploy/kubernetes.long.test.ts check the manifests';
const measures = 'takes minutes and a quiet machine';

/** In order: dump, roles, restore. */
export const pgDumpCommands = [
  'PGOPTIONS=\'-c headwater.backup=on\' pg_dump --enable-row-security --format=custom --dbname "$DATABASE_URL" --file headwater.dump',
  'psql --dbname "$DATABASE_URL" --command \'CREATE ROLE headwater_service NOLOGIN\'',
  'psql --dbname "$DATABASE_URL" --command \'CREATE ROLE headwater_reader NOLOGIN\'',
  'pg_restore --exit-on-error --dbname "$DATABASE_URL" headwater.dump',
] as const;

const component = '-f kubernetes.yaml -l app.kubernetes.io/component';
const kubectlCommands = [
  'kubectl create secret generic headwater --from-literal=DATABASE_URL="$DATABASE_URL" --from-literal=SESSION_JWT_SECRET="$(openssl rand -hex 32)" --from-literal=S3_ACCESS_KEY_ID="$S3_ACCESS_KEY_ID" --from-literal=S3_SECRET_ACCESS_KEY="$S3_SECRET_ACCESS_KEY"',
  `kubectl apply ${component}=settings`,
  'kubectl delete job headwater-migrate --ignore-not-found',
  `kubectl apply ${component}=migrate`,
  'kubectl wait job/headwater-migrate --for=condition=complete --timeout=15m',
  "kubectl apply -f kubernetes.yaml -l 'app.kubernetes.io/component in (api, worker)'",
  'kubectl rollout status deployment/headwater-api',
] as const;

/** Commands that are checked statically, each with the reason. */
export const declaredCommands: readonly DeclaredCommand[] = [
  { line: 'npm ci && npm start', reason: installs },
  { line: 'npm ci && npm test', reason: installs },
  { line: 'npm ci --omit=dev && npm run build', reason: installs },
  { line: 'npm start', reason: serves },
  { line: 'npm install --global dist/package/headwater-0.1.0.tgz', reason: packages },
  { line: 'headwater start', reason: packages },
  { line: 'echo "SESSION_JWT_SECRET=$(openssl rand -hex 32)" > .env', reason: inContainers },
  { line: 'docker compose up --build', reason: inContainers },
  {
    line: 'docker compose run --rm service node /app/bin/headwater.js create-admin --email you@example.com',
    reason: inContainers,
  },
  ...linesOf([...serverSteps.values(), ...pointInTimeCommands]).map((line) => ({ line, reason: onServer })),
  ...projectCopyCommands.map((line) => ({ line, reason: besideAnother })),
  { line: 'sha256sum --check SHA256SUMS', reason: 'runs in test/deploy/release.test.ts' },
  ...kubectlCommands.map((line) => ({ line, reason: inCluster })),
  { line: 'ADMIN_API_URL=https://cms.example ADMIN_BASE=/ npm run build:admin', reason: builds },
  { line: 'HEADWATER_PROCESSES=4 npm start', reason: serves },
  { line: 'WEBHOOK_ALLOW_LOOPBACK=1 npm start', reason: serves },
  { line: 'npm test', reason: tests },
  { line: 'npm test -- test/delivery/routes.test.ts', reason: tests },
  { line: 'npm run test:admin', reason: inBrowser },
  {
    line: 'cd .data/harbour-site && npm install && npm run build && npm start',
    reason: 'runs until it is stopped; test/examples/starters.long.test.ts builds and starts such a site',
  },
  { line: 'npm run test:long', reason: measures },
  { line: 'npm run check', reason: tests },
  ...pgDumpCommands.map((line) => ({ line, reason: runsElsewhere })),
  { line: 'npm run restore -- headwater.backup', reason: needsEmptyDatabase },
  { line: 'npm run bench', reason: 'runs in test/documentation/benchmarks.test.ts' },
  { line: 'npm run bench -- throughput --quick', reason: measures, file: 'test/bench/run.ts' },
  {
    line: 'npm run bench -- throughput --only hit --plot ratios.svg',
    reason: measures,
    file: 'test/bench/run.ts',
  },
  { line: 'npm run bench -- growth --move', reason: measures, file: 'test/bench/growth/run.ts' },
  { line: 'npm run bench -- soak --minutes 60', reason: measures, file: 'test/bench/soak/run.ts' },
];
