import { createReadStream } from 'node:fs';
import { LineReader, readFailure, type LinePlace } from '../read-lines.js';

/** Of all lists; more fills the memory. */
const MAXIMUM_ITEMS = 1_000_000;

const code = (letter: string): number => letter.charCodeAt(0);
const QUOTE = code('"');
const BACKSLASH = code('\\');
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [code('{'), code('}'), code('['), code(']')];
const [COMMA, COLON] = [code(','), code(':')];
const spaces: ReadonlySet<number> = new Set([' ', '\t', '\n', '\r'].map(code));
const plainStarts: ReadonlySet<number> = new Set([...'-0123456789tfn'].map(code));
const plainEnds: ReadonlySet<number> = new Set([...spaces, COMMA, CLOSE_LIST, CLOSE_OBJECT]);
const byteOrderMark = [0xef, 0xbb, 0xbf];

class JsonProblem extends Error {
  override readonly name = 'JsonProblem';
}

/** A key of the object, and the items of its list; undefined for another value. */
interface JsonMember {
  readonly key: LinePlace;
  items: LinePlace[] | undefined;
}

/** What may follow. */
type Step =
  'root' | 'firstKey' | 'key' | 'colon' | 'value' | 'firstItem' | 'item' | 'afterItem' | 'afterValue' | 'end';

/** Finds the byte ranges of list items in a JSON object. It does not validate the items: they are parsed when they are read. */
class PlaceScanner {
  readonly members: JsonMember[] = [];
  #step: Step = 'root';
  /** Of the bytes that were read. */
  #offset = 0;
  #items = 0;
  /** The value that is being read: where it starts, and what it is. */
  #start = 0;
  #form: 'nested' | 'string' | 'plain' | undefined;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** @throws JsonProblem */
  write(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length)
      if (this.#form !== undefined) at = this.#readValue(chunk, at);
      else {
        const byte = chunk[at] ?? 0;
        const place = this.#offset + at;
        const isSkipped = spaces.has(byte) || (this.#step === 'root' && byte === byteOrderMark[place]);
        if (!isSkipped) this.#take(byte, place);
        // A value starts with this byte.
        if (this.#form === undefined || this.#form === 'string') at += 1;
      }
    this.#offset += chunk.length;
  }

  /** @throws JsonProblem if the object does not end */
  end(): void {
    if (this.#step !== 'end') throw new JsonProblem('it is not JSON, or is truncated');
  }

  #take(byte: number, place: number): void {
    const step = this.#step;
    if (step === 'root' && byte === OPEN_OBJECT) this.#step = 'firstKey';
    else if (step === 'root' && byte === OPEN_LIST) throw new JsonProblem('it is a list');
    else if (byte === CLOSE_OBJECT && (step === 'firstKey' || step === 'afterValue')) this.#step = 'end';
    else if (byte === QUOTE && (step === 'firstKey' || step === 'key')) this.#begin(byte, place);
    else if (byte === COLON && step === 'colon') this.#step = 'value';
    else if (byte === OPEN_LIST && step === 'value') {
      const member = this.members.at(-1);
      if (member !== undefined) member.items = [];
      this.#step = 'firstItem';
    } else if (byte === CLOSE_LIST && (step === 'firstItem' || step === 'afterItem'))
      this.#step = 'afterValue';
    else if (byte === COMMA && step === 'afterItem') this.#step = 'item';
    else if (byte === COMMA && step === 'afterValue') this.#step = 'key';
    else if (step === 'value' || step === 'firstItem' || step === 'item') this.#begin(byte, place);
    else throw new JsonProblem('it is not JSON, or is truncated');
  }

  #begin(byte: number, place: number): void {
    this.#start = place;
    [this.#depth, this.#isInString, this.#isEscaped] = [0, byte === QUOTE, false];
    if (byte === QUOTE) this.#form = 'string';
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#form = 'nested';
    else if (plainStarts.has(byte)) this.#form = 'plain';
    else throw new JsonProblem('it is not JSON, or is truncated');
  }

  /** @returns where reading continues: after the value, or after the chunk */
  #readValue(chunk: Uint8Array, from: number): number {
    let at = from;
    if (this.#form === 'plain') {
      while (at < chunk.length && !plainEnds.has(chunk[at] ?? 0)) at += 1;
      if (at < chunk.length) this.#finish(at);
      return at;
    }
    let [depth, isInString, isEscaped] = [this.#depth, this.#isInString, this.#isEscaped];
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
        else continue;
      } else if (byte === QUOTE) isInString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1;
      else continue;
      if (depth > 0 || isInString) continue;
      this.#finish(at + 1);
      return at + 1;
    }
    [this.#depth, this.#isInString, this.#isEscaped] = [depth, isInString, isEscaped];
    return at;
  }

  #finish(at: number): void {
    this.#form = undefined;
    const place = { start: this.#start, length: this.#offset + at - this.#start };
    if (this.#step === 'firstKey' || this.#step === 'key') {
      this.members.push({ key: place, items: undefined });
      this.#step = 'colon';
    } else if (this.#step === 'value') this.#step = 'afterValue';
    else {
      this.#items += 1;
      if (this.#items > MAXIMUM_ITEMS) throw new JsonProblem('it has more than 1,000,000 items');
      this.members.at(-1)?.items?.push(place);
      this.#step = 'afterItem';
    }
  }
}

/** Reads the file in pieces. @throws JsonProblem if it is no object, or the failure of the file */
async function findMembers(file: string): Promise<readonly JsonMember[]> {
  const scanner = new PlaceScanner();
  const input = createReadStream(file, { highWaterMark: 256 * 1024 });
  try {
    for await (const chunk of input) scanner.write(chunk as Uint8Array);
  } finally {
    input.destroy();
  }
  scanner.end();
  return scanner.members;
}

/** Lists of an object in a file. Only the places of their items are in memory. */
export class JsonLists {
  readonly #lists = new Map<string, readonly LinePlace[]>();

  private constructor(
    private readonly file: string,
    private readonly reader: LineReader,
  ) {}

  /**
   * @param system whose export it is
   * @throws Error with one line for people
   */
  static async open(file: string, system: string): Promise<JsonLists> {
    const members = await findMembers(file).catch((error: unknown) => {
      const reason =
        error instanceof JsonProblem
          ? `is not an export of ${system}: ${error.message}`
          : `cannot be read: ${readFailure(error)}`;
      throw new Error(`The file ${file} ${reason}.`, { cause: error });
    });
    const lists = new JsonLists(file, LineReader.open(file));
    try {
      for (const { key, items } of members)
        if (items !== undefined) lists.#lists.set(String(lists.read(key)), items);
    } catch (error) {
      lists.close();
      throw error;
    }
    return lists;
  }

  close(): void {
    this.reader.close();
  }

  has(name: string): boolean {
    return this.#lists.has(name);
  }

  placesOf(name: string): readonly LinePlace[] {
    return this.#lists.get(name) ?? [];
  }

  /** @throws Error with one line for people */
  read(place: LinePlace): unknown {
    const text = this.reader.read(place);
    try {
      return JSON.parse(text);
    } catch (error) {
      const after = `after byte ${String(place.start)}`;
      throw new Error(`The file ${this.file} is not JSON ${after}.`, { cause: error });
    }
  }
}
