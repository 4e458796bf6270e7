import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Environment } from '../../../contracts/environments/environments/environment.js';
import { ProjectApi } from '../client/project-api.js';
import { progressOn, type Progress, type ProgressOutput } from '../progress.js';

export const waitUsage =
  'headwater wait --url <service>/api/v1/projects/<project> --key <management key> --environment <slug>';

export const waitHelp = `Usage: ${waitUsage}

Waits until an environment is copied, or until a promotion into it or its rollback has ended, and shows the progress.

  --url          URL of the project
  --key          management key, by default HEADWATER_KEY
  --environment  slug

Exit codes: 0 the environment is ready, 1 its copy failed.
`;

interface WaitConsole {
  print(text: string): void;
  readonly progress: ProgressOutput;
}

const POLL_MILLISECONDS = 500;

interface Options {
  readonly api: ProjectApi;
  readonly slug: string;
}

function optionsOf(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { url: { type: 'string' }, key: { type: 'string' }, environment: { type: 'string' } },
  });
  const { url, key = process.env.HEADWATER_KEY, environment: slug } = values;
  if (!url || !URL.canParse(url)) throw new Error(`The URL of the project is missing. Usage: ${waitUsage}`);
  if (!key) throw new Error('Set a management key with --key or HEADWATER_KEY.');
  if (!slug) throw new Error(`Name the environment. Usage: ${waitUsage}`);
  return { slug, api: new ProjectApi({ url, key, environment: undefined, confirmToken: undefined }) };
}

/** Shows a progress that is read now and then; a job that starts again starts another bar. */
class ReadProgress {
  #shown = { done: 0, total: 0 };

  constructor(private readonly progress: Progress) {}

  show({ done, total }: { done: number; total: number }): void {
    if (total === 0) return;
    if (total !== this.#shown.total || done < this.#shown.done) {
      this.progress.start(total);
      this.#shown = { done: 0, total };
    }
    if (done > this.#shown.done) this.progress.advance(done - this.#shown.done);
    this.#shown = { done, total };
  }
}

/**
 * @returns the exit code
 * @throws Error with one line for people
 */
export async function runWaitCommand(
  args: readonly string[],
  { print, progress: output }: WaitConsole,
): Promise<number> {
  const { api, slug } = optionsOf(args);
  const progress = progressOn(output);
  const shown = new ReadProgress(progress);
  try {
    for (;;) {
      const found = await api.read<Environment>(`/environments/${encodeURIComponent(slug)}`);
      if (found.progress !== null) shown.show(found.progress);
      if (found.status === 'ready' || found.status === 'failed') {
        print(`${slug} is ${found.status}.\n`);
        return found.status === 'ready' ? 0 : 1;
      }
      await pause(POLL_MILLISECONDS);
    }
  } finally {
    progress.stop();
  }
}
