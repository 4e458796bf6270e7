import net from 'node:net';

/** A TCP proxy to the database that can be interrupted, with an error or without a word. */
export class CuttableLine {
  readonly #sockets = new Set<net.Socket>();
  /** Connections whose bytes are swallowed, as by a firewall that forgot them. */
  readonly #silenced = new WeakSet<net.Socket>();
  #isSilent = false;
  #isCut = false;
  readonly #server: net.Server;

  constructor(target: { host: string; port: number }) {
    this.#server = net.createServer({ allowHalfOpen: true }, (socket) => {
      if (this.#isCut) {
        socket.destroy();
        return;
      }
      const upstream = net.connect({ ...target, allowHalfOpen: true });
      for (const end of [socket, upstream]) {
        this.#sockets.add(end);
        end.on('error', () => end.destroy());
        // pipe() forwards an end but not a reset.
        end.on('close', () => {
          this.#sockets.delete(end);
          (end === socket ? upstream : socket).destroy();
        });
      }
      if (this.#isSilent) this.#silenced.add(socket).add(upstream);
      this.#forward(socket, upstream);
      this.#forward(upstream, socket);
    });
  }

  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as net.AddressInfo).port;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Swallows everything on open connections, and on new ones too unless `oldOnly`. They are never closed. */
  silence({ oldOnly = false }: { oldOnly?: boolean } = {}): void {
    this.#isSilent = !oldOnly;
    for (const socket of this.#sockets) this.#silenced.add(socket);
  }

  /** New connections work again; silenced ones stay silent. */
  restore(): void {
    this.#isCut = false;
    this.#isSilent = false;
  }

  #forward(from: net.Socket, to: net.Socket): void {
    from.on('data', (bytes) => {
      if (!this.#silenced.has(from)) to.write(bytes);
    });
    from.on('end', () => {
      if (!this.#silenced.has(from)) to.end();
    });
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
