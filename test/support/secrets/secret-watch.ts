import { runningSuite } from '../worker.js';
import { Needles, shortestNeedle } from './needles.js';
import type { SecretKind } from './secret-places.js';

export type WatchedPlace = 'log line' | 'answer' | 'stored row';

/** A secret found where none is allowed; never its value. */
export interface SecretFinding {
  readonly kind: SecretKind;
  readonly place: WatchedPlace;
  /** The line's message, the request or the table. */
  readonly where: string;
  /** The test file that knows the secret, where it is not the one that searched. */
  readonly owner?: string;
}

/** Secrets that all test files of a worker have. */
const ofWorker: ReadonlySet<SecretKind> = new Set(['secret of sessions', 'password of the database']);

/** The result of a search. */
export interface LookedAt {
  readonly secrets: Partial<Record<SecretKind, number>>;
  readonly looks: Record<WatchedPlace, number>;
  readonly findings: readonly SecretFinding[];
}

interface Text {
  readonly place: WatchedPlace;
  readonly bytes: Buffer;
  /** Secrets that may appear here. */
  readonly shown: readonly string[];
  readonly where: () => string;
}

/** Data is held until all secrets are known, up to this size. */
const HELD_BYTES = 32 * 1024 * 1024;

/** Encodings of a secret: plain, JSON, URL, hexadecimal. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, inJson, encodeURIComponent(secret), Buffer.from(secret).toString('hex')])];
}

/** Collects the secrets of the running test file and searches logs, responses and rows for them. */
export class SecretWatch {
  readonly #kinds = new Map<string, SecretKind>();
  #needles = new Needles();
  #suite = runningSuite();
  #texts: Text[] = [];
  #heldBytes = 0;
  #looks: Record<WatchedPlace, number> = { 'log line': 0, answer: 0, 'stored row': 0 };
  readonly #findings = new Map<string, SecretFinding>();

  /** @param ownerOf the test file that knows a secret */
  constructor(private readonly ownerOf: (secret: string) => string | undefined = () => undefined) {}

  /** Searches for the secret from now on, unless it is too short. */
  learn(secret: string, kind: SecretKind): void {
    this.#enter();
    if (secret.length < shortestNeedle || this.#kinds.has(secret)) return;
    this.#add(secret, kind);
  }

  line(line: string): void {
    this.#hold({ place: 'log line', bytes: Buffer.from(line), shown: [], where: () => messageOf(line) });
  }

  /** Headers and body of a response; `shown` secrets are allowed in it. */
  answer(request: string, bytes: Buffer, shown: readonly string[]): void {
    this.#hold({ place: 'answer', bytes, shown, where: () => request });
  }

  /** Rows of a table, as text. */
  rows(table: string, count: number, text: string): void {
    this.#hold({ place: 'stored row', bytes: Buffer.from(text), shown: [], where: () => table });
    this.#looks['stored row'] += count - 1;
  }

  /** The secrets of the running test file. */
  known(): readonly (readonly [secret: string, kind: SecretKind])[] {
    return [...this.#kinds];
  }

  /** Searches everything collected since the last call; secrets remain known. */
  settle(): LookedAt {
    this.#enter();
    this.#look();
    const secrets: Partial<Record<SecretKind, number>> = {};
    for (const kind of this.#kinds.values()) secrets[kind] = (secrets[kind] ?? 0) + 1;
    const settled = { secrets, looks: this.#looks, findings: [...this.#findings.values()] };
    this.#looks = { 'log line': 0, answer: 0, 'stored row': 0 };
    this.#findings.clear();
    return settled;
  }

  #add(secret: string, kind: SecretKind): void {
    this.#kinds.set(secret, kind);
    for (const spelling of spellings(secret)) this.#needles.add(secret, Buffer.from(spelling));
  }

  /** A test file starts with the secrets of its worker; the texts of the file before are searched for its own. */
  #enter(): void {
    const suite = runningSuite();
    if (suite === this.#suite) return;
    this.#look();
    this.#suite = suite;
    const lasting = this.known().filter(([, kind]) => ofWorker.has(kind));
    this.#kinds.clear();
    this.#needles = new Needles();
    for (const [secret, kind] of lasting) this.#add(secret, kind);
  }

  #hold(text: Text): void {
    this.#enter();
    this.#looks[text.place] += 1;
    this.#texts.push(text);
    this.#heldBytes += text.bytes.length;
    if (this.#heldBytes > HELD_BYTES) this.#look();
  }

  #look(): void {
    for (const { place, bytes, shown, where } of this.#texts)
      for (const secret of this.#needles.in(bytes)) {
        const kind = this.#kinds.get(secret);
        if (kind === undefined || shown.some((text) => text.includes(secret))) continue;
        const owner = this.ownerOf(secret);
        const finding = { kind, place, where: this.#without(where()), ...(owner !== undefined && { owner }) };
        this.#findings.set(JSON.stringify(finding), finding);
      }
    this.#texts = [];
    this.#heldBytes = 0;
  }

  /** The text without secrets, for printing. */
  #without(text: string): string {
    let printable = text;
    for (const secret of this.#kinds.keys())
      for (const spelling of spellings(secret)) printable = printable.replaceAll(spelling, '…');
    return printable;
  }
}

function messageOf(line: string): string {
  try {
    const { msg } = JSON.parse(line) as { msg?: unknown };
    return typeof msg === 'string' ? msg : 'a line without a message';
  } catch {
    return 'a line that is not JSON';
  }
}

/** One per worker. */
export const secretWatch = new SecretWatch();
