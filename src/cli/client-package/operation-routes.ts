import type { z } from 'zod';
import { FIRST_CURSOR } from '../../../contracts/primitives.js';
import { appRouter, boundOperations } from '../../procedures/index.js';

/** `GET /api/…/entries/{id}` by group and name; of lists that are read by cursors, the first cursor is behind it. */
export type OperationRoutes = Readonly<Record<string, Readonly<Record<string, string>>>>;

const operations = boundOperations(appRouter);

const isFile = ({ meta: { openapi } }: (typeof operations)[number]): boolean =>
  openapi?.textBody !== undefined ||
  openapi?.upload !== undefined ||
  openapi?.tus === true ||
  openapi?.textResponse !== undefined ||
  openapi?.streaming !== undefined;

const served = operations.filter(({ meta }) => meta.openapi !== undefined);

/** See `FileOperation`. */
export const fileOperations: readonly string[] = served.filter(isFile).map(({ name }) => name);

function routeOf({ meta: { openapi }, input }: (typeof operations)[number]): string {
  const { cursor } = input.shape as Readonly<Record<string, z.ZodType | undefined>>;
  const isRead = cursor?.meta()?.example === FIRST_CURSOR;
  return `${openapi?.method ?? ''} ${openapi?.path ?? ''}${isRead ? ` ${FIRST_CURSOR}` : ''}`;
}

function routesOf(isIncluded: (name: string) => boolean): OperationRoutes {
  const routes: Record<string, Record<string, string>> = {};
  for (const one of served) {
    const [group = '', verb = ''] = one.name.split('.');
    if (!isFile(one) && isIncluded(group)) (routes[group] ??= {})[verb] = routeOf(one);
  }
  return routes;
}

export const deliveryRoutes: OperationRoutes = routesOf((group) => group === 'delivery');
export const managementRoutes: OperationRoutes = routesOf((group) => group !== 'delivery');
