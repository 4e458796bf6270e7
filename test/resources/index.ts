import { registry, type Registry } from '../../contracts/index.js';
import type { Row } from './row.js';

/** `apiKeys` is in `api-keys.ts`. */
const fileOf = (group: string): string => group.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

async function tableOf(group: string): Promise<Readonly<Record<string, Row>>> {
  const file = (await import(`./${fileOf(group)}.js`)) as Readonly<Record<string, Record<string, Row>>>;
  const table = file[group];
  if (table === undefined) throw new Error(`test/resources has no table of ${group}`);
  return table;
}

const groups = Object.keys(registry) as (keyof Registry)[];
const tables = new Map(
  await Promise.all(groups.map(async (group) => [group, await tableOf(group)] as const)),
);

export const rowNames = [...tables].flatMap(([group, table]) =>
  Object.keys(table).map((verb) => `${group}.${verb}`),
);

export function rowOf(name: string): Row {
  const [group = '', verb = ''] = name.split('.');
  const row = tables.get(group as keyof Registry)?.[verb];
  if (row === undefined) throw new Error(`${name} has no row`);
  return row;
}
