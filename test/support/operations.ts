import { appRouter, boundOperations, type BoundOperation } from '../../src/procedures/index.js';
import type { RestMeta } from '../../contracts/index.js';
import type { RestCall } from './call.js';
import type { Example, Scene } from './scene.js';
import { rowOf } from '../resources/index.js';
import { superAdmin } from './factories/project.js';
import { accountSession } from './members.js';

export const operations: readonly BoundOperation[] = boundOperations(appRouter);

export const restOperations = operations.flatMap((operation) => {
  const rest = operation.meta.openapi;
  return rest === undefined ? [] : [{ name: operation.name, operation, rest }];
});

export const exampleOf = ({ name }: BoundOperation): Example => rowOf(name).example;

/** Examples that are made once for each operation of a suite whose calls change nothing. */
export function sharedExamples(): typeof exampleOf {
  const made = new Map<string, ReturnType<Example>>();
  return (operation) => (scene) => {
    const example = made.get(operation.name) ?? exampleOf(operation)(scene);
    made.set(operation.name, example);
    return example;
  };
}

const asText = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

/** Maps an input to path parameters, then query or body. */
export function restCall(rest: RestMeta, input: Readonly<Record<string, unknown>>): RestCall {
  const left = { ...input };
  const path = rest.path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = asText(left[name]);
    delete left[name];
    return encodeURIComponent(value);
  });
  if (rest.method === 'POST' || rest.method === 'PUT' || rest.method === 'PATCH')
    return { method: rest.method, path, body: left };
  const query = new URLSearchParams(
    Object.entries(left).map(([key, value]): [string, string] => [key, asText(value)]),
  ).toString();
  return { method: rest.method, path: query === '' ? path : `${path}?${query}` };
}

/** A credential permitted to call the operation. */
export function rightKey(
  scene: Scene,
  { meta }: BoundOperation,
): Promise<string | undefined> | string | undefined {
  const { app, project } = scene;
  if (meta.audience === 'session') return undefined;
  if (meta.audience === 'account') return accountSession(scene);
  if (meta.audience === 'platform' || meta.sessionOnly === true || meta.ownersOnly === true)
    return superAdmin(app);
  return meta.audience === 'delivery' ? project.keys.delivery : project.keys.management;
}
