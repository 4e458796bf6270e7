/** A README command that the suite does not run. */
export interface DeclaredCommand {
  readonly line: string;
  readonly reason: string;
  /** The project file that reads the command's options, if any. */
  readonly file?: string;
}

const installs = 'replaces the dependencies of the checkout';
const serves = 'runs until it is stopped; every other suite starts the service the same way';
const tests = 'this suite is part of it';
const needsTools = "needs PostgreSQL's client tools in the server's version, and a superuser";
const measures = 'takes minutes and a quiet machine';

/** Commands that are checked statically, each with the reason. */
export const declaredCommands: readonly DeclaredCommand[] = [
  { line: 'npm ci && npm start', reason: installs },
  { line: 'npm ci && npm test', reason: installs },
  { line: 'npm ci --omit=dev && npm run build', reason: installs },
  { line: 'npm start', reason: serves },
  { line: 'HEADWATER_PROCESSES=4 npm start', reason: serves },
  { line: 'npm test', reason: tests },
  { line: 'npm test -- test/delivery/routes.test.ts', reason: tests },
  { line: 'npm run check', reason: tests },
  {
    line: 'pg_dumpall --dbname "$ADMIN_URL" --roles-only --no-role-passwords > roles.sql',
    reason: needsTools,
  },
  {
    line: 'pg_dump --format=custom --dbname "$ADMIN_URL" --file headwater.dump',
    reason: needsTools,
  },
  { line: 'psql --dbname "$ADMIN_URL" --file roles.sql', reason: needsTools },
  { line: 'pg_restore --exit-on-error --dbname "$ADMIN_URL" headwater.dump', reason: needsTools },
  { line: 'npm run bench -- --quick', reason: measures, file: 'test/bench/run.ts' },
  {
    line: 'npm run bench -- --only hit --plot ratios.svg',
    reason: measures,
    file: 'test/bench/run.ts',
  },
  { line: 'npm run bench -- --growth', reason: measures, file: 'test/bench/run.ts' },
  { line: 'npm run bench:growth -- --move', reason: measures, file: 'test/bench/growth/run.ts' },
  { line: 'npm run bench:coherence -- --cut', reason: measures, file: 'test/bench/coherence.ts' },
  { line: 'npm run bench:kill', reason: measures, file: 'test/bench/kill/run.ts' },
  { line: 'npm run bench:overload', reason: measures, file: 'test/bench/overload/run.ts' },
];
