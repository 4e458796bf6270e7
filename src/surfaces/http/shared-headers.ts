import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net from 'node:net';
import cors from 'cors';
import helmet from 'helmet';

/** Credentials travel in a header that scripts must set themselves, so any origin may ask. */
const crossOrigin = cors({
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  exposedHeaders: [
    'X-Request-Id',
    'Location',
    'ETag',
    'Surrogate-Key',
    'Retry-After',
    'Idempotent-Replayed',
    'RateLimit',
    'RateLimit-Policy',
  ],
  maxAge: 86_400,
});

/**
 * What browsers are told of answers that are data, not documents. Each header costs every answer from memory, so
 * those that only matter to documents are left to the pages that are some.
 */
const shielded = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

const nothing = (): void => undefined;

/** Sets the headers that every answer bears beside its id. A preflight it answers at once, and so ends the response. */
export function sharedHeaderSetter(
  dataRegion: string | undefined,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    if (dataRegion !== undefined) response.setHeader('X-Service-Data-Region', dataRegion);
    // Both set headers at once and wait for nothing.
    crossOrigin(request, response, nothing);
    if (!response.writableEnded) shielded(request, response, nothing);
  };
}

/** The same headers of an answer to a read, names and values in turns: no request makes a difference to them. */
export function sharedHeaders(dataRegion: string | undefined): readonly string[] {
  const request = new http.IncomingMessage(new net.Socket());
  request.method = 'GET';
  const response = new http.ServerResponse(request) as http.ServerResponse & {
    getRawHeaderNames(): readonly string[];
  };
  sharedHeaderSetter(dataRegion)(request, response);
  return response.getRawHeaderNames().flatMap((name) => [name, String(response.getHeader(name))]);
}
