import net from 'node:net';

/** A TCP proxy to the database that can be interrupted. */
export class CuttableLine {
  readonly #sockets = new Set<net.Socket>();
  #isCut = false;
  readonly #server: net.Server;

  constructor(target: { host: string; port: number }) {
    this.#server = net.createServer((socket) => {
      if (this.#isCut) {
        socket.destroy();
        return;
      }
      const upstream = net.connect(target.port, target.host);
      for (const end of [socket, upstream]) {
        this.#sockets.add(end);
        end.on('error', () => end.destroy());
        // pipe() forwards an end but not a reset.
        end.on('close', () => {
          this.#sockets.delete(end);
          (end === socket ? upstream : socket).destroy();
        });
      }
      socket.pipe(upstream).pipe(socket);
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

  restore(): void {
    this.#isCut = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
