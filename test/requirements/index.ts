import { agents } from './agents.js';
import { authentication } from './authentication.js';
import { delivery } from './delivery.js';
import { environments } from './environments.js';
import { errors } from './errors.js';
import { events } from './events.js';
import { graphql } from './graphql.js';
import { insight } from './insight.js';
import { limits } from './limits.js';
import { management } from './management.js';
import { mediaFiles } from './media-files.js';
import { media } from './media.js';
import { operation } from './operation.js';
import { resources } from './resources.js';
import { richText } from './rich-text.js';
import { siteDelivery } from './site-delivery.js';
import { states } from './states.js';
import { treesAndRedirects } from './trees-and-redirects.js';
import { versioning } from './versioning.js';
import type { Requirement } from './requirement.js';

/** Rules by id. Tests cite them with `verifies`. */
export const requirements = {
  ...resources,
  ...states,
  ...delivery,
  ...siteDelivery,
  ...graphql,
  ...management,
  ...insight,
  ...treesAndRedirects,
  ...agents,
  ...authentication,
  ...environments,
  ...events,
  ...errors,
  ...limits,
  ...mediaFiles,
  ...media,
  ...versioning,
  ...operation,
  ...richText,
} as const satisfies Readonly<Record<string, Requirement>>;

export type RequirementId = keyof typeof requirements;
