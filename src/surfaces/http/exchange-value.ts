/**
 * Values that belong to exchanges, each kept with its request or response under a key of its own. A weak map would
 * cost the collector of garbage more than the exchange itself: it looks through the map each time.
 */
export class Attached<Holder extends object, Value> {
  readonly #key = Symbol('attached');

  get(holder: Holder): Value | undefined {
    return (holder as Record<symbol, Value | undefined>)[this.#key];
  }

  set(holder: Holder, value: Value): void {
    (holder as Record<symbol, Value>)[this.#key] = value;
  }
}
