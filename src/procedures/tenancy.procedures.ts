import { projects as projectsContracts } from '../../contracts/tenancy/projects/projects.contract.js';
import { createProject, listProjects } from '../features/tenancy/projects/projects.js';
import {
  locales as localesContracts,
  tenantLocales as tenantLocalesContracts,
} from '../../contracts/tenancy/locales/locales.contract.js';
import {
  createLocale,
  deleteLocale,
  getLocale,
  listLocales,
  updateLocale,
} from '../features/tenancy/locales/locales.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';
import { signOn as signOnContracts } from '../../contracts/tenancy/sign-on/sign-on.contract.js';
import {
  checkSignOn,
  finishSignOn,
  startSignOn,
  type SignOnSessionServices,
} from '../features/tenancy/sign-on/sign-on-sessions.js';
import { getSignOn, setSignOn } from '../features/tenancy/sign-on/sign-on.js';
import type { Services } from './services.js';
import { tenants as tenantsContracts } from '../../contracts/tenancy/tenants/tenants.contract.js';
import {
  createTenant,
  deactivateTenant,
  getTenant,
  listTenants,
  updateTenant,
} from '../features/tenancy/tenants/tenants.js';

export const projects = bind(projectsContracts, {
  list: query(listProjects),
  create: mutation(createProject, { lock: 'schema' }),
});

export const tenants = bind(tenantsContracts, {
  list: query(listTenants),
  create: mutation(createTenant, { lock: 'schema', with: (services) => services.mail }),
  get: query(getTenant),
  update: mutation(updateTenant, { lock: 'schema' }),
  deactivate: mutation(deactivateTenant, { lock: 'schema' }),
});

/** These lock all projects of the tenant themselves. */
const inTenant = { lock: 'none' } as const;

export const locales = bind(localesContracts, {
  list: query(listLocales),
  create: mutation(createLocale, inTenant),
  get: query(getLocale),
  update: mutation(updateLocale, inTenant),
  delete: mutation(deleteLocale, inTenant),
});

export const tenantLocales = bind(tenantLocalesContracts, {
  list: query(listLocales),
  create: mutation(createLocale, inTenant),
  get: query(getLocale),
  update: mutation(updateLocale, inTenant),
  delete: mutation(deleteLocale, inTenant),
});

const signOnSessions = ({ providers, tokens, webhooks, replies }: Services): SignOnSessionServices => ({
  providers,
  tokens,
  secretBox: webhooks.secretBox,
  stateBox: replies,
});

export const signOn = bind(signOnContracts, {
  get: query(getSignOn),
  set: mutation(setSignOn, { lock: 'none', with: ({ webhooks }) => webhooks }),
  check: mutation(checkSignOn, { inParts: true, with: signOnSessions }),
  start: mutation(startSignOn, { inParts: true, with: signOnSessions }),
  finish: mutation(finishSignOn, { inParts: true, with: signOnSessions }),
});
