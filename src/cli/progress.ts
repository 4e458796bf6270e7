import { SingleBar } from 'cli-progress';

export type ProgressOutput = NodeJS.WritableStream & { readonly isTTY?: boolean };

export interface Progress {
  start(total: number): void;
  /** @param steps 1 by default */
  advance(steps?: number): void;
  stop(): void;
}

/** A line for every 10 %, for logs and pipes. */
class PlainProgress implements Progress {
  #total = 0;
  #done = 0;

  constructor(private readonly output: ProgressOutput) {}

  start(total: number): void {
    this.#total = total;
    this.#done = 0;
  }

  advance(steps = 1): void {
    this.#done += steps;
    const tenth = (count: number) => Math.floor((count * 10) / this.#total);
    if (tenth(this.#done) === tenth(this.#done - steps)) return;
    this.output.write(
      `${String(tenth(this.#done) * 10)} % (${String(this.#done)} of ${String(this.#total)})\n`,
    );
  }

  stop(): void {
    // Nothing is left to write.
  }
}

class BarProgress implements Progress {
  readonly #bar: SingleBar;

  constructor(stream: NodeJS.WritableStream) {
    const format = '{bar} {percentage} % | {value} of {total} | {eta_formatted} left';
    this.#bar = new SingleBar({
      stream,
      format,
      barCompleteChar: '█',
      barIncompleteChar: '░',
      hideCursor: true,
    });
  }

  start(total: number): void {
    this.#bar.start(total, 0);
  }

  advance(steps = 1): void {
    this.#bar.increment(steps);
  }

  stop(): void {
    this.#bar.stop();
  }
}

/** A bar on a terminal, else lines. */
export function progressOn(output: ProgressOutput): Progress {
  return output.isTTY === true ? new BarProgress(output) : new PlainProgress(output);
}
