/** A message of PostgreSQL's protocol, with its header. */
export interface Message {
  /** One letter; empty for the first message of a client. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** Splits one direction of a connection into messages. */
export class MessageReader {
  #rest = Buffer.alloc(0);

  /** @param isStarting whether the next message has no type, as the first one of a client */
  constructor(private isStarting: boolean) {}

  read(bytes: Buffer): Message[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const messages: Message[] = [];
    for (;;) {
      const headerLength = this.isStarting ? 4 : 5;
      if (this.#rest.length < headerLength) return messages;
      const length = this.#rest.readInt32BE(headerLength - 4) + headerLength - 4;
      if (this.#rest.length < length) return messages;
      const type = this.isStarting ? '' : this.#rest.toString('latin1', 0, 1);
      messages.push({ type, bytes: this.#rest.subarray(0, length) });
      this.#rest = this.#rest.subarray(length);
      this.isStarting = false;
    }
  }
}

/** Whether a message of a client is this statement, sent as a simple query. */
export const isStatement = ({ type, bytes }: Message, start: string): boolean =>
  type === 'Q' && bytes.toString('latin1', 5).startsWith(start);

/** Whether a message of the server reports the end of this command. */
export const isCompletion = ({ type, bytes }: Message, command: string): boolean =>
  type === 'C' && bytes.toString('latin1', 5, bytes.length - 1) === command;

/** Whether the server is ready for a statement, outside of a transaction. */
export const isIdle = ({ type, bytes }: Message): boolean =>
  type === 'Z' && bytes.toString('latin1', 5) === 'I';

/** The process that a session's server announces. */
export const backendPidOf = ({ type, bytes }: Message): number | undefined =>
  type === 'K' ? bytes.readInt32BE(5) : undefined;
