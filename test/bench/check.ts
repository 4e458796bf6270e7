import { isDeepStrictEqual } from 'node:util';
import type { Measured } from './processes.js';
import type { Request, Scenario } from './scenarios.js';

/** A server that receives requests. */
export type Target = Pick<Measured, 'name' | 'url' | 'pid'>;

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly etag: string | null;
  readonly bytes: Buffer;
  readonly text: string;
}

export async function requestOnce(url: string, { method, path, headers, body }: Request): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { 'accept-encoding': 'identity', ...headers },
    ...(body !== undefined && { body }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    etag: response.headers.get('etag'),
    bytes,
    text: bytes.subarray(0, 500).toString('utf8'),
  };
}

/** One concrete request from a template. */
const fillSample = (template: string): string =>
  template
    .replace(/\{0x:\d+\}/g, (77).toString(16).padStart(12, '0'))
    .replace(/\{\d+\.\.\d+(?:\*(\d+))?\}/g, (_match, by = '1') => String(2 * Number(by)))
    .replaceAll('{unique}', () => String(Date.now() * 1000 + Math.floor(Math.random() * 1000)));

function contentOf({ bytes }: Answer, { floor, path }: Scenario): unknown {
  if (floor === 'memory') return bytes.toString('base64');
  const body = JSON.parse(bytes.toString('utf8')) as { data?: unknown };
  return path.includes('graphql') ? body.data : body;
}

/**
 * Requests server and floor once each and compares status and content. @throws Error that names the scenario
 * and the difference
 */
export async function checkResponses(scenario: Scenario, pair: readonly [Target, Target]): Promise<void> {
  // Separate requests, because each of two creations needs unique values.
  const request = (): Request => ({
    ...scenario,
    path: fillSample(scenario.path),
    ...(scenario.body !== undefined && { body: fillSample(scenario.body) }),
  });
  const [own, floor] = [await requestOnce(pair[0].url, request()), await requestOnce(pair[1].url, request())];
  const status = scenario.status ?? 200;
  for (const [answer, target] of [
    [own, pair[0]],
    [floor, pair[1]],
  ] as const) {
    if (answer.status !== status)
      throw new Error(`${scenario.name}, ${target.name}: ${answer.status} ${answer.text}`);
  }
  if (scenario.floor === 'transaction' || status === 304) return;
  if (!isDeepStrictEqual(contentOf(own, scenario), contentOf(floor, scenario)))
    throw new Error(`${scenario.name}: responses differ:\n${own.text}\n${floor.text}`);
}

/** Time from start to first response in ms, median of three. */
export async function measureStartup(startOne: () => Promise<Measured>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const startedAt = performance.now();
    const server = await startOne();
    times.push(performance.now() - startedAt);
    await server.stop();
  }
  return times.sort((a, b) => a - b)[1] ?? 0;
}
