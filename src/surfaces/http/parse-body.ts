import { exactJsonSteps, parseExactJson } from '../../content/exact-json/exact-json.js';
import { runInTurns } from '../../infrastructure/turns.js';

/** Larger bodies are parsed and used in separate turns of the event loop. */
const LARGE_BYTES = 65_536;

/** @throws AppError as {@link parseExactJson} */
export async function parseBody(bytes: Uint8Array): Promise<unknown> {
  return bytes.length <= LARGE_BYTES ? parseExactJson(bytes) : await runInTurns(exactJsonSteps(bytes));
}
