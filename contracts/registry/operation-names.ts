import { z } from 'zod';
import { eventNames, type EventName } from '../change-names.js';
import type { OperationMeta } from '../metadata.js';
import { projectResources, type ProjectResource } from '../rights.js';
import { subjects } from './operations.js';

interface Contract {
  readonly _def: { readonly meta?: OperationMeta };
}

/** Of every operation; what none of them has cannot be named (rule http/input). */
const metas: readonly OperationMeta[] = Object.values(subjects).flatMap((contracts) =>
  Object.values<Contract>(contracts).flatMap(({ _def }) => _def.meta ?? []),
);

/** The default event of a test delivery. */
export const TEST_EVENT = 'webhook.test' satisfies EventName;

const wholeSubjects = new Set(eventNames.map((name) => `${name.split('.')[0] ?? ''}.*`));

export const WebhookEventName = z
  .enum(eventNames)
  .meta({ description: 'Name of an event.', example: 'entry.published' });

/** An event, all events of a resource, or all. */
export const WebhookEventPattern = z.enum(['*', ...wholeSubjects, ...eventNames]).meta({
  description: 'An event name, `entry.*` for all events of a resource, `*` for all events.',
  example: 'entry.published',
});

const governed: ReadonlySet<string> = new Set([
  ...metas.filter(({ audience }) => audience === 'management').map(({ resource }) => resource),
  // Their contracts use this module.
  ...(['roles', 'webhooks'] satisfies ProjectResource[]),
]);

/** Resources with operations. */
export const grantResources: readonly ProjectResource[] = projectResources.filter((one) => governed.has(one));

export const GrantableResource = z.enum([...grantResources, '*']).meta({
  description: 'Resource the grant applies to. `*` means all.',
  example: 'entries',
});
