import { stat } from 'node:fs/promises';
import type { Neighbour, NeighbourCall } from '../neighbours/neighbour.js';
import { soleNeighbour } from '../neighbours/neighbours.js';
import { ClientLeft } from '../waiting-client.js';
import { scanWithClamd } from './clamd.js';
import { scanOverHttps } from './https-scanner.js';

export type ScanStatus = 'clean' | 'infected' | 'failed' | 'skipped';

export interface ScannerOptions {
  /** `clamd://host:port` or `https://…`; unset: files are not scanned. */
  readonly url?: string | undefined;
  /** Signs requests to an https scanner. */
  readonly secret: Uint8Array;
  readonly neighbour?: Neighbour | undefined;
}

/** A scanner that needs longer for a file has no verdict. */
const BYTES_PER_SECOND = 4 * 1024 * 1024;

/** Looks for malware in files. */
export class FileScanner {
  readonly #neighbour: Neighbour;

  constructor(private readonly options: ScannerOptions) {
    this.#neighbour = options.neighbour ?? soleNeighbour('scanner');
  }

  /** A scanner that is unavailable is `failed`. @throws ClientLeft */
  async scan(file: string): Promise<ScanStatus> {
    const { url } = this.options;
    if (url === undefined) return 'skipped';
    try {
      const isClean = await this.#neighbour.call((call) => this.#ask(url, file, call));
      return isClean ? 'clean' : 'infected';
    } catch (error) {
      if (error instanceof ClientLeft) throw error;
      return 'failed';
    }
  }

  async #ask(url: string, file: string, call: NeighbourCall): Promise<boolean> {
    const { size } = await stat(file);
    const scanMs = (size / BYTES_PER_SECOND) * 1000;
    const progressed = (): void => {
      call.progressed(scanMs);
    };
    progressed();
    const { signal } = call;
    return url.startsWith('clamd:')
      ? scanWithClamd(new URL(url), file, { signal, progressed })
      : scanOverHttps({ url, secret: this.options.secret, signal, progressed }, file);
  }
}
