import { scanWithClamd } from './clamd.js';
import { scanOverHttps } from './https-scanner.js';

export type ScanStatus = 'clean' | 'infected' | 'failed' | 'skipped';

export interface ScannerOptions {
  /** `clamd://host:port` or `https://…`; unset: files are not scanned. */
  readonly url?: string | undefined;
  /** Signs requests to an https scanner. */
  readonly secret: Uint8Array;
}

const MILLISECONDS = 60_000;

/** Looks for malware in files. */
export class FileScanner {
  constructor(private readonly options: ScannerOptions) {}

  /** Never rejects: a scanner that is unavailable is `failed`. */
  async scan(file: string): Promise<ScanStatus> {
    const { url, secret } = this.options;
    if (url === undefined) return 'skipped';
    const signal = AbortSignal.timeout(MILLISECONDS);
    try {
      const isClean = url.startsWith('clamd:')
        ? await scanWithClamd(new URL(url), file, signal)
        : await scanOverHttps({ url, secret, signal }, file);
      return isClean ? 'clean' : 'infected';
    } catch {
      return 'failed';
    }
  }
}
