import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { LineReader, readFailure, type LinePlace } from '../read-lines.js';

/** An element of the channel, with those in it by name. */
export interface WxrElement {
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly (readonly [name: string, WxrElement])[];
}

const DEPTH = 10;
/** Of one element of the channel. */
const MAXIMUM_CHARACTERS = 16 * 1024 * 1024;

const malformed = (file: string, reason: string): Error =>
  new Error(`The file ${file} is not an export of WordPress: ${reason}.`);

/** Name of an element: the namespaces of exports differ in their scheme and version. */
function nameOf({ uri, local }: SaxesTagNS): string {
  if (/\/export\/[\d.]+\/excerpt\/?$/.test(uri)) return `excerpt:${local}`;
  if (uri.includes('wordpress.org/export/')) return `wp:${local}`;
  if (/\/modules\/content\/?$/.test(uri)) return `content:${local}`;
  if (uri.includes('purl.org/dc/')) return `dc:${local}`;
  return uri === '' ? local : `other:${local}`;
}

interface Open {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (readonly [string, WxrElement])[];
  text: string;
}

/** Collects the elements of the channel while the file is read. */
class ChannelReader {
  #found: (readonly [string, WxrElement])[] = [];
  hasChannel = false;
  readonly #stack: Open[] = [];
  readonly #parser = new SaxesParser({ xmlns: true, position: true });
  /** Invalid bytes would otherwise become replacement characters of the imported content. */
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #characters = 0;

  constructor(private readonly file: string) {
    this.#parser.on('doctype', () => this.#refuse('it has a document type, whose entities are not read'));
    this.#parser.on('error', ({ message }) => this.#refuse(message));
    this.#parser.on('opentag', (tag) => {
      this.#open(tag);
    });
    this.#parser.on('text', (text) => {
      this.#add(text);
    });
    this.#parser.on('cdata', (text) => {
      this.#add(text);
    });
    this.#parser.on('closetag', () => {
      this.#close();
    });
  }

  write(bytes: Uint8Array): void {
    this.#parser.write(this.#decoded(bytes));
  }

  /** Elements that are complete since the last time. */
  take(): readonly (readonly [string, WxrElement])[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  end(): void {
    this.#parser.write(this.#decoded());
    this.#parser.close();
    if (!this.hasChannel) this.#refuse('it has no channel');
  }

  /** @param bytes none at the end of the file */
  #decoded(bytes?: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      return this.#refuse(`it has bytes that are not UTF-8 after line ${String(this.#parser.line)}`);
    }
  }

  #refuse(reason: string): never {
    throw malformed(this.file, reason);
  }

  #open(tag: SaxesTagNS): void {
    if (this.#stack.length >= DEPTH) this.#refuse(`elements are nested deeper than ${String(DEPTH)} levels`);
    const name = nameOf(tag);
    const [root, channel] = this.#stack;
    if (root === undefined && name !== 'rss') this.#refuse(`its root is ${name}`);
    this.hasChannel ||= channel === undefined && root !== undefined && name === 'channel';
    if (this.#stack.length === 2) this.#characters = 0;
    const attributes = Object.fromEntries(
      Object.values(tag.attributes).map(({ local, value }) => [local, value]),
    );
    this.#stack.push({ name, attributes, children: [], text: '' });
  }

  #add(text: string): void {
    const top = this.#stack.at(-1);
    if (top === undefined || this.#stack.length < 3) return;
    this.#characters += text.length;
    if (this.#characters > MAXIMUM_CHARACTERS) this.#refuse('an item has more than 16 MB');
    top.text += text;
  }

  #close(): void {
    const closed = this.#stack.pop();
    if (closed === undefined || this.#stack.length < 2) return;
    const { name, ...element } = closed;
    (this.#stack.length === 2 ? this.#found : (this.#stack.at(-1)?.children ?? [])).push([name, element]);
  }
}

/** A channel whose items are in a temporary file, each as a line of JSON, so that they do not fill the memory. */
export interface WxrChannel {
  /** Authors, terms and settings by name. */
  readonly others: readonly (readonly [string, WxrElement])[];
  readonly items: readonly LinePlace[];
  read(item: LinePlace): WxrElement;
  remove(): Promise<void>;
}

interface Parts {
  readonly others: (readonly [string, WxrElement])[];
  readonly items: LinePlace[];
}

/** Reads the file in pieces, and writes its items. */
async function splitChannel(file: string, itemFile: string): Promise<Parts> {
  const reader = new ChannelReader(file);
  const input = createReadStream(file);
  const output = await open(itemFile, 'wx', 0o600);
  const [others, items]: [Parts['others'], LinePlace[]] = [[], []];
  let start = 0;
  const keep = async (): Promise<void> => {
    const lines: Buffer[] = [];
    for (const [name, element] of reader.take()) {
      const json = JSON.stringify(element);
      if (name === 'item') {
        const line = Buffer.from(`${json}\n`);
        items.push({ start, length: line.length - 1 });
        start += line.length;
        lines.push(line);
      }
      // A part of the text that was read keeps all of it in memory; this copy does not.
      else others.push([name, JSON.parse(json) as WxrElement]);
    }
    if (lines.length > 0) await output.writeFile(Buffer.concat(lines));
  };
  try {
    for await (const chunk of input) {
      reader.write(chunk as Uint8Array);
      await keep();
    }
    reader.end();
    await keep();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const [name, what] = syscall === 'write' ? [itemFile, 'written'] : [file, 'read'];
    throw new Error(`The file ${name} cannot be ${what}: ${readFailure(error)}.`, { cause: error });
  } finally {
    input.destroy();
    await output.close();
  }
  return { others, items };
}

/**
 * The elements of the channel of a WXR file.
 * @throws Error in one line for people
 */
export async function readChannel(file: string): Promise<WxrChannel> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwater-wordpress-'));
  const itemFile = path.join(folder, 'items.jsonl');
  let reader: LineReader | undefined;
  const remove = async (): Promise<void> => {
    reader?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const parts = await splitChannel(file, itemFile);
    const opened = LineReader.open(itemFile);
    reader = opened;
    return { ...parts, read: (item) => JSON.parse(opened.read(item)) as WxrElement, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Text of the first child of this name, without white space around it. */
export const textIn = ({ children }: WxrElement, name: string): string =>
  children.find(([own]) => own === name)?.[1].text.trim() ?? '';

/** What the others need of an item. */
export interface WxrItem {
  readonly id: string;
  readonly type: string;
  /** Id of the item above it. */
  readonly parentId: string;
  readonly link: string;
  read(): WxrElement;
}

export function itemOf(channel: WxrChannel, place: LinePlace): WxrItem & { readonly element: WxrElement } {
  const element = channel.read(place);
  return {
    id: textIn(element, 'wp:post_id'),
    type: textIn(element, 'wp:post_type'),
    parentId: textIn(element, 'wp:post_parent'),
    link: textIn(element, 'link'),
    element,
    read: () => channel.read(place),
  };
}

/** Values of a key, which may be there several times. */
export const metaValues = ({ children }: WxrElement, key: string): string[] =>
  children.flatMap(([name, meta]) =>
    name === 'wp:postmeta' && textIn(meta, 'wp:meta_key') === key ? [textIn(meta, 'wp:meta_value')] : [],
  );

export const metaOf = ({ children }: WxrElement): Map<string, string> =>
  new Map(
    children.flatMap(([name, meta]) =>
      name === 'wp:postmeta' ? [[textIn(meta, 'wp:meta_key'), textIn(meta, 'wp:meta_value')] as const] : [],
    ),
  );
