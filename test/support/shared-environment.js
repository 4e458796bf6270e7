import NodeEnvironment from 'jest-environment-node';

/** What jest stores on the global object for one test file. */
const isOfJest = (symbol) =>
  /jest|^EVENT_HANDLERS$|^TEST_TIMEOUT_SYMBOL$|RETRY/i.test(symbol.description ?? '');

let shared;

/** One global object for all test files of a worker, because the modules of `shared-runtime.js` belong to it. */
export default class SharedEnvironment extends NodeEnvironment {
  #exit;

  constructor(...given) {
    if (shared !== undefined) return shared;
    super(...given);
    this.#exit = this.global.process.exit;
    shared = this;
  }

  /** Keeps the global object and removes what the finished file and jest left on it. */
  async teardown() {
    for (const symbol of Object.getOwnPropertySymbols(this.global))
      if (isOfJest(symbol)) delete this.global[symbol];
    this.global.process.exit = this.#exit;
    this._globalProxy.leftovers = [];
  }
}
