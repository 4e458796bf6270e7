import { Needles, shortestNeedle } from './needles.js';
import type { SecretKind } from './secret-places.js';

/** What is looked at. */
export type WatchedPlace = 'log line' | 'answer' | 'stored row';

/** A secret that stands where none may; never the secret itself. */
export interface SecretFinding {
  readonly kind: SecretKind;
  readonly place: WatchedPlace;
  /** The line's message, the request or the table. */
  readonly where: string;
}

/** What came of a look. */
export interface LookedAt {
  readonly secrets: Partial<Record<SecretKind, number>>;
  readonly looks: Record<WatchedPlace, number>;
  readonly findings: readonly SecretFinding[];
}

interface Text {
  readonly place: WatchedPlace;
  readonly bytes: Buffer;
  /** Secrets that it shows by design. */
  readonly shown: readonly string[];
  readonly where: () => string;
}

/** Texts are held until all secrets are known, but no more of them than this. */
const HELD_BYTES = 32 * 1024 * 1024;

/** The spellings in which a secret may stand in a text: as it is, in JSON, in an address, as bytes of a row. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, inJson, encodeURIComponent(secret), Buffer.from(secret).toString('hex')])];
}

/** Knows the secrets of one test file and looks for them in everything that it is shown. */
export class SecretWatch {
  readonly #kinds = new Map<string, SecretKind>();
  readonly #needles = new Needles();
  #texts: Text[] = [];
  #heldBytes = 0;
  #looks: Record<WatchedPlace, number> = { 'log line': 0, answer: 0, 'stored row': 0 };
  readonly #findings = new Map<string, SecretFinding>();

  /** From now on the secret may stand nowhere. What is too short to be told from other texts is passed over. */
  learn(secret: string, kind: SecretKind): void {
    if (secret.length < shortestNeedle || this.#kinds.has(secret)) return;
    this.#kinds.set(secret, kind);
    for (const spelling of spellings(secret)) this.#needles.add(secret, Buffer.from(spelling));
  }

  /** A line that the service has written to its log. */
  line(line: string): void {
    this.#hold({ place: 'log line', bytes: Buffer.from(line), shown: [], where: () => messageOf(line) });
  }

  /** An answer, headers and body, with the secrets that it shows by design. */
  answer(request: string, bytes: Buffer, shown: readonly string[]): void {
    this.#hold({ place: 'answer', bytes, shown, where: () => request });
  }

  /** Rows of a table, as text. */
  rows(table: string, count: number, text: string): void {
    this.#hold({ place: 'stored row', bytes: Buffer.from(text), shown: [], where: () => table });
    this.#looks['stored row'] += count - 1;
  }

  /** Looks at what it was shown since the last time; the secrets stay known. */
  settle(): LookedAt {
    this.#look();
    const secrets: Partial<Record<SecretKind, number>> = {};
    for (const kind of this.#kinds.values()) secrets[kind] = (secrets[kind] ?? 0) + 1;
    const settled = { secrets, looks: this.#looks, findings: [...this.#findings.values()] };
    this.#looks = { 'log line': 0, answer: 0, 'stored row': 0 };
    this.#findings.clear();
    return settled;
  }

  #hold(text: Text): void {
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
        const finding = { kind, place, where: this.#without(where()) };
        this.#findings.set(JSON.stringify(finding), finding);
      }
    this.#texts = [];
    this.#heldBytes = 0;
  }

  /** A text that can be printed: the place of a secret may be an address that holds it. */
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
    return 'a line that is no JSON';
  }
}

/** The watch of this test file: jest loads this module anew for each. */
export const secretWatch = new SecretWatch();
