import type { graphqlRegistry, Registry } from '../../contracts/index.js';
import { router } from '../../contracts/procedure.js';
import { apiKeys } from './api-keys.procedures.js';
import { audit } from './audit.procedures.js';
import { calendar } from './calendar.procedures.js';
import { contentTypes } from './content-types.procedures.js';
import { customFieldTypes } from './custom-field-types.procedures.js';
import { customReports } from './custom-reports.procedures.js';
import { delivery } from './delivery.procedures.js';
import { entries } from './entries.procedures.js';
import { environments } from './environments.procedures.js';
import { fields } from './fields.procedures.js';
import { governance } from './governance.procedures.js';
import { graphql } from './graphql.procedures.js';
import { ipAllowlist } from './ip-allowlist.procedures.js';
import { locales } from './locales.procedures.js';
import { mediaFolders } from './media-folders.procedures.js';
import { mediaUploads } from './media-uploads.procedures.js';
import { me } from './me.procedures.js';
import { media } from './media.procedures.js';
import { projects } from './projects.procedures.js';
import { promotions } from './promotions.procedures.js';
import { redirects } from './redirects.procedures.js';
import { reports } from './reports.procedures.js';
import { roles } from './roles.procedures.js';
import { schema } from './schema.procedures.js';
import { search } from './search.procedures.js';
import { sessions } from './sessions.procedures.js';
import { sites } from './sites.procedures.js';
import { tenants } from './tenants.procedures.js';
import { tasks } from './tasks.procedures.js';
import { translations } from './translations.procedures.js';
import { tree } from './tree.procedures.js';
import { users } from './users.procedures.js';
import { views } from './views.procedures.js';
import { workflows } from './workflows.procedures.js';
import { webhooks } from './webhooks.procedures.js';

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
