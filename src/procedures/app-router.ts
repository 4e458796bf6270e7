import type { graphqlRegistry, Registry } from '../../contracts/index.js';
import { router } from '../../contracts/procedure.js';
import { apiKeys, ipAllowlist, me, roles, sessions, users } from './access.procedures.js';
import { audit, customReports, governance, reports, search } from './insight.procedures.js';
import { calendar, delivery, graphql } from './publishing.procedures.js';
import { contentTypes, customFieldTypes, fields, locales, views, workflows } from './content.procedures.js';
import { entries, tasks } from './entries.procedures.js';
import { environments } from './environments.procedures.js';
import { mediaFolders, mediaUploads, media } from './media.procedures.js';
import { projects, tenants } from './tenancy.procedures.js';
import { promotions, schema } from './deployment.procedures.js';
import { redirects, sites, tree } from './routing.procedures.js';
import { translations } from './editorial.procedures.js';
import { webhooks } from './operations.procedures.js';

/** A contract without a binding does not compile. */
const procedures = {
  delivery,
  contentTypes,
  fields,
  customFieldTypes,
  entries,
  sites,
  media,
  mediaFolders,
  mediaUploads,
  redirects,
  tree,
  apiKeys,
  roles,
  users,
  ipAllowlist,
  views,
  workflows,
  environments,
  calendar,
  search,
  translations,
  tasks,
  promotions,
  governance,
  audit,
  reports,
  customReports,
  webhooks,
  schema,
  locales,
  me,
  tenants,
  projects,
  sessions,
} satisfies { [Group in keyof Registry]: { [Verb in keyof Registry[Group]]: unknown } };

export const appRouter = router(procedures);

/** Root fields of GraphQL; no other surface serves them. */
export const graphqlRouter = router({ graphql } satisfies {
  [Group in keyof typeof graphqlRegistry]: { [Verb in keyof (typeof graphqlRegistry)[Group]]: unknown };
});

export type AppRouter = typeof appRouter;
