import type { Registry } from '../../contracts/index.js';
import { apiKeys } from './api-keys.js';
import { audit } from './audit.js';
import { calendar } from './calendar.js';
import { contentTypes } from './content-types.js';
import { customFieldTypes } from './custom-field-types.js';
import { customReports } from './custom-reports.js';
import { delivery } from './delivery.js';
import { entries } from './entries.js';
import { environments } from './environments.js';
import { fields } from './fields.js';
import { governance } from './governance.js';
import { ipAllowlist } from './ip-allowlist.js';
import { locales } from './locales.js';
import { me } from './me.js';
import { mediaFolders } from './media-folders.js';
import { mediaUploads } from './media-uploads.js';
import { media } from './media.js';
import { projects } from './projects.js';
import { promotions } from './promotions.js';
import { redirects } from './redirects.js';
import { reports } from './reports.js';
import { roles } from './roles.js';
import { schema } from './schema.js';
import { search } from './search.js';
import { sessions } from './sessions.js';
import { sites } from './sites.js';
import { tenants } from './tenants.js';
import { tasks } from './tasks.js';
import { translations } from './translations.js';
import { tree } from './tree.js';
import { users } from './users.js';
import { views } from './views.js';
import { webhooks } from './webhooks.js';
import { workflows } from './workflows.js';
import type { Row, Table } from './row.js';

const tables: { readonly [Group in keyof Registry]: Table<Group> } = {
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
  webhooks,
  roles,
  users,
  views,
  workflows,
  environments,
  calendar,
  search,
  translations,
  tasks,
  promotions,
  governance,
  ipAllowlist,
  audit,
  reports,
  customReports,
  locales,
  me,
  tenants,
  projects,
  sessions,
  schema,
};

export const rowNames = Object.entries(tables).flatMap(([group, table]) =>
  Object.keys(table).map((verb) => `${group}.${verb}`),
);

export function rowOf(name: string): Row {
  const [group = '', verb = ''] = name.split('.');
  const row = (tables as Record<string, Record<string, Row>>)[group]?.[verb];
  if (row === undefined) throw new Error(`${name} has no row`);
  return row;
}
