import { SingleBar } from 'cli-progress';

export interface Progress {
  start(total: number): void;
  advance(): void;
  stop(): void;
}

/** A line for every 10 %, for logs and pipes. */
class PlainProgress implements Progress {
  #total = 0;
  #done = 0;

  constructor(private readonly output: NodeJS.WriteStream) {}

  start(total: number): void {
    this.#total = total;
    this.#done = 0;
  }

  advance(): void {
    this.#done += 1;
    const tenth = (count: number) => Math.floor((count * 10) / this.#total);
    if (tenth(this.#done) === tenth(this.#done - 1)) return;
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

  constructor(stream: NodeJS.WriteStream) {
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

  advance(): void {
    this.#bar.increment();
  }

  stop(): void {
    this.#bar.stop();
  }
}

export function progressOn(output: NodeJS.WriteStream): Progress {
  return output.isTTY ? new BarProgress(output) : new PlainProgress(output);
}
