import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: number };
}

interface SentTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

export interface ReceivedSpan extends Omit<SentSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** Values are in a member that names their type. */
const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const spansIn = ({ resourceSpans }: SentTraces): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: valuesOf(span.attributes),
        resource: valuesOf(resource.attributes),
      })),
    ),
  );

interface ReceivedExport {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** An OpenTelemetry collector on loopback. */
export interface OtlpReceiver {
  readonly url: string;
  readonly exports: readonly ReceivedExport[];
  /** All received spans, as they ended. */
  spans(): ReceivedSpan[];
  close(): void;
}

/** @param status of each response */
export async function openOtlpReceiver(
  status: () => number | Promise<number> = () => 200,
): Promise<OtlpReceiver> {
  const exports: ReceivedExport[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      exports.push({ path, headers, body: Buffer.concat(chunks).toString('utf8') });
      void Promise.resolve(status()).then((code) =>
        response.writeHead(code, { 'content-type': 'application/json' }).end('{}'),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    exports,
    spans: () =>
      exports.flatMap(({ path, body }) =>
        path === '/v1/traces' ? spansIn(JSON.parse(body) as SentTraces) : [],
      ),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
