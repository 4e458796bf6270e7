import { randomBytes } from 'node:crypto';
import { must } from '../call.js';
import type { Scene } from '../scene.js';
import { superAdmin } from './project.js';

/** A code that no tenant has: German with a variant. */
export const newCode = (): string => `de-${randomBytes(4).toString('hex')}`;

/** A locale of the tenant that nothing uses. */
export async function newLocale({ app, project }: Scene): Promise<string> {
  const path = `${project.management}/locales`;
  const body = { code: newCode() };
  await must(app, { method: 'POST', path, key: await superAdmin(app), body });
  return body.code;
}

const unused = new WeakMap<Scene, Promise<string>>();

/** One per scene, since a tenant has a limited number of locales. */
export function unusedLocale(scene: Scene): Promise<string> {
  const known = unused.get(scene) ?? newLocale(scene);
  unused.set(scene, known);
  return known;
}
