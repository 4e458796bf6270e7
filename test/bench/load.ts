import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Request } from './scenarios.js';

/** Results of one load run. */
export interface Load {
  readonly requestsPerSecond: number;
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bytesPerAnswer: number;
  /** Responses outside 2xx and 3xx, and requests without a response. */
  readonly failures: number;
}

export interface LoadOptions {
  readonly seconds: number;
  readonly connections: number;
}

const quoted = (text: string): string => JSON.stringify(text).replaceAll('\\u', '\\\\u');

/**
 * Lua for a template: `{0x:10000}` is a random hexadecimal number, `{1..400}` a random number, `{unique}` a
 * unique one.
 */
function luaOf(template: string): string {
  const parts = template.split(/(\{0x:\d+\}|\{\d+\.\.\d+(?:\*\d+)?\}|\{unique\}|\{id\})/);
  return parts
    .map((part) => {
      const hexadecimal = /^\{0x:(\d+)\}$/.exec(part)?.[1];
      if (hexadecimal !== undefined) return `string.format("%012x", math.random(1, ${hexadecimal}))`;
      const range = /^\{(\d+)\.\.(\d+)(?:\*(\d+))?\}$/.exec(part);
      if (range !== null)
        return `tostring(math.random(${range[1] ?? '1'}, ${range[2] ?? '1'}) * ${range[3] ?? '1'})`;
      if (part === '{unique}') return 'next_number()';
      if (part === '{id}') return 'id';
      return quoted(part);
    })
    .join(' .. ');
}

const headersOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `[${quoted(name)}] = ${quoted(value)}`)
    .join(', ');

/** A wrk script that sends the request, then `then` for each created item. */
function scriptOf({ method, path: target, headers, body, then }: Request): string {
  const isFixed = !/\{(?:0x:|\d|unique)/.test(target + (body ?? ''));
  const format = (verb: string, to: string, text: string | undefined): string =>
    `wrk.format(${quoted(verb)}, ${luaOf(to)}, headers, ${text === undefined ? 'nil' : luaOf(text)})`;
  return `
    local headers = { ${headersOf(headers)} }
    local number = os.time() * 1000000 + math.random(1, 1000) * 1000
    local waiting = {}
    function next_number() number = number + 1; return string.format("%.0f", number) end
    math.randomseed(${isFixed ? '1' : 'os.time()'})
    local fixed = nil
    request = function()
      ${then === undefined ? '' : `if #waiting > 0 then local id = table.remove(waiting); return ${format(then.method, then.path, then.body)} end`}
      ${isFixed ? `if fixed == nil then fixed = ${format(method, target, body)} end return fixed` : `return ${format(method, target, body)}`}
    end
    ${then === undefined ? '' : `response = function(status, _, text) if status == 201 then table.insert(waiting, string.match(text, '"id":"([-%x]+)"')) end end`}
    done = function(summary, latency)
      local errors = summary.errors
      io.stderr:write(string.format('{"requests":%d,"us":%d,"bytes":%d,"failures":%d,"p50":%f,"p99":%f}',
        summary.requests, summary.duration, summary.bytes, errors.connect + errors.read + errors.write + errors.status + errors.timeout,
        latency:percentile(50), latency:percentile(99)))
    end`;
}

interface WrkSummary {
  requests: number;
  us: number;
  bytes: number;
  failures: number;
  p50: number;
  p99: number;
}

async function runWrk(
  url: string,
  request: Request,
  { seconds, connections }: LoadOptions,
): Promise<WrkSummary> {
  const directory = await mkdtemp(path.join(tmpdir(), 'headwater-bench-'));
  try {
    const script = path.join(directory, 'load.lua');
    await writeFile(script, scriptOf(request));
    const child = spawn('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url]);
    let summary = '';
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (summary += text));
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await new Promise((resolve) => child.once('close', resolve));
    const json = /\{"requests".*\}/.exec(summary)?.[0];
    if (json === undefined) throw new Error(`wrk: ${summary}${output}`);
    return JSON.parse(json) as WrkSummary;
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Without wrk, autocannon is used, which is limited to about 27,000 requests per second. */
export const hasWrk = spawnSync('wrk', ['-v']).error === undefined;

async function runAutocannon(
  url: string,
  request: Request,
  { seconds, connections }: LoadOptions,
): Promise<WrkSummary> {
  const { default: autocannon } = await import('autocannon');
  let made = Date.now() * 1000;
  const fill = (template: string): string =>
    template
      .replace(/\{0x:(\d+)\}/g, (_match, most: string) =>
        Math.ceil(Math.random() * Number(most))
          .toString(16)
          .padStart(12, '0'),
      )
      .replace(/\{(\d+)\.\.(\d+)(?:\*(\d+))?\}/g, (_match, low: string, high: string, by = '1') =>
        String((Number(low) + Math.floor(Math.random() * (Number(high) - Number(low) + 1))) * Number(by)),
      )
      .replaceAll('{unique}', () => String((made += 1)));
  const { method, path: target, headers, body } = request;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        method,
        headers: { ...headers },
        setupRequest: (one: object) => ({
          ...one,
          path: fill(target),
          ...(body !== undefined && { body: fill(body) }),
        }),
      },
    ],
  });
  return {
    requests: result.requests.total,
    us: result.duration * 1e6,
    bytes: result.throughput.total,
    failures: result.errors + result.timeouts + result.non2xx - result['3xx'],
    p50: result.latency.p50 * 1000,
    p99: result.latency.p99 * 1000,
  };
}

/** Repeats a request under load; `then` works only with wrk. */
export async function load(url: string, request: Request, options: LoadOptions): Promise<Load> {
  const summary = await (hasWrk ? runWrk : runAutocannon)(url, request, options);
  const { requests, us, bytes, failures, p50, p99 } = summary;
  return {
    requestsPerSecond: requests / (us / 1e6),
    requests,
    p50Ms: p50 / 1000,
    p99Ms: p99 / 1000,
    bytesPerAnswer: requests === 0 ? 0 : bytes / requests,
    failures,
  };
}
