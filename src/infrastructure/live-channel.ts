/** The PostgreSQL channel of what is sent to users at once. Each message is a topic, a space, and its text. */
export const LIVE_CHANNEL = 'headwater_live';

/** Something changed for a user. */
export const userTopic = (userId: string): string => `user:${userId}`;

/** The rights of a user or key changed, or a session of the user ended. Triggers send it (migration 0032). */
export const accessTopic = (id: string): string => `access:${id}`;

type Listener = (text: string) => void;
type Send = (message: string) => Promise<unknown>;

/** Passes messages of all processes to those who listen in this one. Lost messages are not repeated. */
export class LiveChannel {
  readonly #listeners = new Map<string, Set<Listener>>();
  #send: Send | undefined;

  /** @returns what ends it */
  listen(topic: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(topic);
    };
  }

  /** Sends to every process, this one included. Lost while this one is not connected. */
  send(message: string): Promise<unknown> {
    return this.#send?.(message) ?? Promise.resolve();
  }

  connect(send: Send | undefined): void {
    this.#send = send;
  }

  receive(message: string): void {
    const end = message.indexOf(' ');
    const topic = end < 0 ? message : message.slice(0, end);
    const text = end < 0 ? '' : message.slice(end + 1);
    for (const listener of this.#listeners.get(topic) ?? []) listener(text);
  }
}
