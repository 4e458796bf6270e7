import type { Service, Stage } from './stage.js';

/** Cursors of pages in a row that begin in the middle of a list. */
const CURSORS = 20;
const LARGEST_PAGE = 100;

const walks = new WeakMap<Stage, Promise<string[]>>();

/** @param path of the list, with a query */
async function walk(service: Service, { count }: Stage, path: string): Promise<string[]> {
  const next = async (cursor: string): Promise<string> => {
    const own = `cursor=${encodeURIComponent(cursor)}&limit=${String(LARGEST_PAGE)}`;
    const text = await service.ask({ method: 'GET', path: `${path}&${own}`, key: 'delivery' });
    return (JSON.parse(text) as { meta: { nextCursor: string | null } }).meta.nextCursor ?? '*';
  };
  let cursor = '*';
  for (let passed = 0; passed < count / 2; passed += LARGEST_PAGE) cursor = await next(cursor);
  const cursors = [cursor];
  while (cursors.length < CURSORS && cursor !== '*') cursors.push((cursor = await next(cursor)));
  return cursors;
}

/** Walks to the middle once for a stage. */
export async function middleCursor(
  service: Service,
  stage: Stage,
  { path, turn }: { readonly path: string; readonly turn: number },
): Promise<string> {
  const walked = walks.get(stage) ?? walk(service, stage, path);
  walks.set(stage, walked);
  const cursors = await walked;
  return encodeURIComponent(cursors[turn % cursors.length] ?? '*');
}
