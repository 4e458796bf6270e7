import { setTimeout as delay } from 'node:timers/promises';
import type { Values } from './scenarios.js';

/** Before a request that was refused because of overload is sent again. */
const RETRY_MS = 100;

/** Creates and publishes `perSecond` entries until the returned function is called. @param values of the seed */
export function startPublishing(url: string, perSecond: number, values: Values): () => Promise<void> {
  let isOver = false;
  const headers = {
    authorization: `Bearer ${values.managementKey ?? ''}`,
    'content-type': 'application/json',
  };
  const post = async (path: string, body: object): Promise<{ data: { id: string } }> => {
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.status === 503) {
      await response.arrayBuffer();
      await delay(RETRY_MS);
      return post(path, body);
    }
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { data: { id: string } };
  };
  const publishOne = async (n: number): Promise<void> => {
    const base = '/api/v1/projects/bench/entries';
    const categories = [{ _ref: values.category1 }, { _ref: values.category2 }, { _ref: values.category3 }];
    const title = `Concurrent ${Date.now()} ${n}`;
    const fields = { title, body: values.text, author: { _ref: values.author }, categories };
    const { data } = await post(base, { contentTypeApiName: 'article', siteId: values.siteId, fields });
    await post(`${base}/${data.id}/publish`, {});
  };
  const work = (async () => {
    const startedAt = performance.now();
    for (let n = 1; !isOver; n += 1) {
      await publishOne(n);
      await delay(Math.max(0, startedAt + (n * 1000) / perSecond - performance.now()));
    }
  })();
  return async () => {
    isOver = true;
    await work;
  };
}
