import path from 'node:path';
import NodeEnvironment from 'jest-environment-node';
import { closeWorker, workerState } from './worker-state.js';

/** What jest stores on the global object for one test file. */
const isOfJest = (symbol) =>
  /jest|^EVENT_HANDLERS$|^TEST_TIMEOUT_SYMBOL$|RETRY/i.test(symbol.description ?? '');

let shared;

/** jest's message that no more test files follow. It kills the process after `workerGracefulExitTimeout`, and says so. */
const LAST_MESSAGE = 2;
const CLOSING_MS = 5000;

/**
 * Ends the process after the last file. Closes what the files of the worker shared, within a bound, and kills the process:
 * releasing a large heap in order would take longer.
 */
function endAfterLastFile() {
  const onMessage = (message) => {
    if (message?.[0] !== LAST_MESSAGE) return;
    const end = () => process.kill(process.pid, 'SIGKILL');
    setTimeout(end, CLOSING_MS);
    closeWorker().then(end, end);
  };
  // Only worker processes get this message. In band, the global teardown closes what is shared.
  if (process.send) process.on('message', onMessage);
}

/** One global object for all test files of a worker, because the modules of `shared-runtime.js` belong to it. */
export default class SharedEnvironment extends NodeEnvironment {
  #exit;

  constructor(config, context) {
    workerState.suite = path.relative(config.projectConfig.rootDir, context.testPath);
    if (shared !== undefined) return shared;
    super(config, context);
    this.#exit = this.global.process.exit;
    this.global[Symbol.for('headwater.worker')] = workerState;
    shared = this;
    endAfterLastFile();
  }

  /** Keeps the global object and removes what the finished file and jest left on it. */
  async teardown() {
    for (const symbol of Object.getOwnPropertySymbols(this.global))
      if (isOfJest(symbol)) delete this.global[symbol];
    this.global.process.exit = this.#exit;
    this._globalProxy.leftovers = [];
  }
}
