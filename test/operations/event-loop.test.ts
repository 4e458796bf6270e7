import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { must } from '../support/call.js';
import { createProject } from '../support/factories/project.js';
import { costlyPatterns, doubling, patternsOf } from '../support/hostile/costly-schemas.js';
import { costlyValues, many } from '../support/hostile/costly-values.js';
import { hostileAnswers } from '../support/hostile/answers.js';
import { hostileBodies, hostileQueries } from '../support/hostile/graphql-requests.js';
import { hostileRequests, type HostileScene, type MakeRequest } from '../support/hostile/requests.js';
import { ServiceProcess } from '../support/service-process.js';
import { verifies } from '../support/verifies.js';
import { useApp } from '../support/desk.js';

/** Set by `npm run bench -- event-loop`, which measures; the run of all tests judges the answers alone. */
const isMeasured = process.env.EVENT_LOOP === 'measure';
/**
 * The fixed work of the probe takes about 4 ms of processor time on an idle machine, so this multiple stands for the
 * 50 ms of rule limits/event-loop. Both are processor time of one thread: a busy machine lengthens neither much.
 */
const multiple = 12.5;
/** The shortest of several attempts: only it is free of a first use, a compilation and a garbage collection. */
const attempts = 4;

const app = useApp();
let service: ServiceProcess;
let scene: HostileScene;

const probe = pathToFileURL(path.resolve('test/support/loop-probe.js')).href;

async function openHostileScene(): Promise<HostileScene> {
  const project = await createProject(app());
  const { management, siteId, keys } = project;
  const post = <T = { id: string }>(address: string, body: object) =>
    must<T>(app(), { method: 'POST', path: `${management}${address}`, key: keys.management, body });
  const field = (apiName: string, type: string, more: object = {}) => ({ apiName, type, ...more });
  await post('/content-types', {
    apiName: 'article',
    name: 'Article',
    fields: [field('title', 'text'), field('body', 'richText'), field('data', 'json')],
  });
  for (const [index, [, jsonSchema]] of costlyValues.entries())
    await post('/content-types', {
      apiName: `costly${String(index)}`,
      name: 'Costly',
      fields: [field('data', 'json', { settings: { jsonSchema } })],
    });
  const prose = (index: number) =>
    field(`f${String(index)}`, 'longText', {
      validations: { maxLength: 20_000, pattern: `^(x{1,150}|y${String(index)})+$` },
    });
  await post('/content-types', { apiName: 'prose', name: 'Prose', fields: many(40).map(prose) });
  const fields = Object.fromEntries(many(40).map((index) => [`f${String(index)}`, 'x'.repeat(19_000)]));
  const costly: string[] = [];
  for (let count = 0; count < 3; count += 1)
    costly.push((await post('/entries', { contentTypeApiName: 'prose', siteId, fields })).id);
  return { project, costly };
}

beforeAll(async () => {
  scene = await openHostileScene();
  service = await ServiceProcess.start(app().databaseUrl, {
    ...(isMeasured && { NODE_OPTIONS: `--import=${probe}` }),
    RATE_LIMIT_MANAGEMENT: '0',
    RATE_LIMIT_PREVIEW: '0',
  });
}, 120_000);

afterAll(async () => {
  await service.kill('SIGTERM');
});

/** Status and error code. */
async function sendHostile(make: MakeRequest, attempt: number): Promise<string> {
  const { path: address, method = 'POST', body, mediaType = 'application/json' } = make(scene, attempt);
  const { keys } = scene.project;
  const key = address.startsWith('/api/graphql/') ? keys.preview : keys.management;
  const response = await fetch(service.url + address, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      ...(body !== undefined && { 'content-type': mediaType }),
    },
    ...(body !== undefined && { body }),
  });
  const answer = await response.text();
  expect([response.status, response.status < 500]).toEqual([response.status, true]);
  return [response.status, /"code":"?([a-z_]+)/.exec(answer)?.[1]].join(' ').trim();
}

/** Longest turn of the loop, in multiples of the fixed work. */
async function longestTurn(make: MakeRequest): Promise<{ turn: number; delayMs: number }> {
  let best = { turn: Infinity, delayMs: Infinity };
  for (let attempt = 0; attempt < attempts && best.turn > multiple; attempt += 1) {
    const { workMs } = await service.ask<{ workMs: number }>('calibrate');
    await service.ask('start');
    await sendHostile(make, attempt);
    const { turnMs, delayMs } = await service.ask<{ turnMs: number; delayMs: number }>('stop');
    const turn = turnMs / workMs;
    if (turn < best.turn) best = { turn, delayMs };
  }
  return best;
}

const graphql =
  (body: string): MakeRequest =>
  ({ project: { slug } }) => ({ path: `/api/graphql/${slug}`, body });

const registering =
  (schema: object, index: number): MakeRequest =>
  ({ project: { management } }, attempt) => ({
    path: `${management}/custom-field-types`,
    // Another description, so that no earlier attempt has compiled the schema.
    body: JSON.stringify({
      apiName: `made${String(index)}at${String(attempt)}`,
      name: 'Made',
      jsonSchema: { ...schema, description: `attempt ${String(attempt)}` },
    }),
  });

const schemas: readonly (readonly [string, object])[] = [
  ...costlyPatterns,
  ['50 patterns', patternsOf(50, (index) => `^[a-z]{1,40}${String(index)}$`)],
  ['900 patterns', patternsOf(900, (index) => `^a${String(index)}$`)],
  ['990 subschemas', { anyOf: many(990).map((index) => ({ const: { index } })) }],
  [
    '990 properties',
    { properties: Object.fromEntries(many(990).map((index) => [`p${String(index)}`, { maxLength: index }])) },
  ],
  ['references that double', doubling(60, (reference) => ({ allOf: [reference, reference] }))],
  ['a long chain of references', doubling(900, (reference) => reference)],
  ['60 KB of names', { required: many(6000).map((index) => `r${String(index)}`) }],
  ['60 KB of values', { enum: many(11_000) }],
];

const cases: readonly (readonly [string, MakeRequest])[] = [
  ...hostileRequests,
  ...Object.entries(hostileQueries).map(([name, query]): readonly [string, MakeRequest] => [
    `GraphQL: ${name}`,
    graphql(JSON.stringify({ query })),
  ]),
  ...Object.entries(hostileBodies).map(([name, [body]]): readonly [string, MakeRequest] => [
    `GraphQL: ${name}`,
    graphql(body),
  ]),
  ...schemas.map(([name, schema], index): readonly [string, MakeRequest] => [
    `a schema with ${name}`,
    registering(schema, index),
  ]),
  ...costlyValues.map(([name, , value], index): readonly [string, MakeRequest] => [
    `a value for ${name}`,
    ({ project: { management, siteId } }) => ({
      path: `${management}/entries`,
      body: JSON.stringify({
        contentTypeApiName: `costly${String(index)}`,
        siteId,
        fields: { data: value() },
      }),
    }),
  ]),
];

describe('A hostile request', () => {
  verifies('limits/event-loop');

  it.each(cases)('gets its answer: %s', async (name, make) => {
    expect(await sendHostile(make, attempts)).toBe(hostileAnswers[name]);
  });
});

if (isMeasured)
  describe('The event loop', () => {
    it.each(cases)('is not kept from others by %s', async (_name, make) => {
      const { turn, delayMs } = await longestTurn(make);
      expect({ isShort: turn <= multiple, turn, delayMs }).toEqual({ isShort: true, turn, delayMs });
    });
  });
