import { registry, type Registry } from '../../contracts/index.js';
import { router } from '../../contracts/procedure.js';
import {
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  updateApiKey,
} from '../features/api-keys/index.js';
import {
  exportAuditEvents,
  listAuditEvents,
  listAuditLogs,
  verifyAuditEvents,
} from '../features/audit/index.js';
import { bulkEntries } from '../features/bulk/index.js';
import {
  checkContentTypeDelete,
  createContentType,
  deleteContentType,
  getContentType,
  listContentTypes,
  updateContentType,
} from '../features/content-types/index.js';
import {
  createCustomFieldType,
  deleteCustomFieldType,
  listCustomFieldTypes,
  updateCustomFieldType,
} from '../features/custom-field-types/index.js';
import {
  getDeliveryEntry,
  getSitemap,
  listDeliveryContent,
  resolveRoute,
} from '../features/delivery/index.js';
import {
  copyEntryLocale,
  createEntry,
  deleteEntry,
  diffEntryVersions,
  duplicateEntry,
  getEntry,
  getEntryValues,
  getEntryVersion,
  listEntries,
  listEntryReferences,
  listEntryVersions,
  publishEntry,
  restoreEntry,
  restoreEntryVersion,
  searchContent,
  undeleteEntry,
  unpublishEntry,
  updateEntry,
  validateEntry,
} from '../features/entries/index.js';
import { createField, deleteField, listFields, updateField } from '../features/fields/index.js';
import {
  createIpRule,
  deleteIpRule,
  listIpRules,
  updateIpAllowlist,
  updateIpRule,
} from '../features/ip-allowlist/index.js';
import { listLocales } from '../features/locales/index.js';
import { createEntryPreview } from '../features/previews/index.js';
import { createProject, listProjects } from '../features/projects/index.js';
import {
  createRedirect,
  deleteRedirect,
  exportRedirects,
  importRedirects,
  listRedirects,
  updateRedirect,
} from '../features/redirects/index.js';
import { renameContentType, renameField } from '../features/renames/index.js';
import {
  createGrant,
  createRole,
  deleteGrant,
  deleteRole,
  getRole,
  listGrants,
  listRoles,
  updateRole,
} from '../features/roles/index.js';
import { login, logout, refreshSession } from '../features/sessions/index.js';
import { createSite, deleteSite, getSite, listSites, updateSite } from '../features/sites/index.js';
import {
  createTenant,
  deactivateTenant,
  getTenant,
  listTenants,
  updateTenant,
} from '../features/tenants/index.js';
import {
  createTreeNode,
  deleteTreeNode,
  getGlobalTree,
  getSiteTree,
  listTreeNodes,
  moveTreeNode,
  updateTreeNode,
} from '../features/tree/index.js';
import { createUser, getUser, listUsers, removeUser, updateUser } from '../features/users/index.js';
import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '../features/webhooks/index.js';
import {
  runDelivery,
  runLogin,
  runMutation,
  runPreviewable,
  runPreviewLink,
  runQuery,
  runSchemaMutation,
  runSession,
  runWebhookCall,
  runWebhookMutation,
  runTrial,
} from './run.js';

/** Every contract bound to what answers it: a table of contents. A contract without an answer does not compile. */
const procedures = {
  delivery: {
    getEntry: registry.delivery.getEntry.query(runPreviewable(getDeliveryEntry)),
    listContent: registry.delivery.listContent.query(runDelivery(listDeliveryContent)),
    resolveRoute: registry.delivery.resolveRoute.query(runPreviewable(resolveRoute)),
    getSitemap: registry.delivery.getSitemap.query(runDelivery(getSitemap)),
  },
  contentTypes: {
    list: registry.contentTypes.list.query(runQuery(listContentTypes)),
    create: registry.contentTypes.create.mutation(runSchemaMutation(createContentType)),
    get: registry.contentTypes.get.query(runQuery(getContentType)),
    update: registry.contentTypes.update.mutation(runSchemaMutation(updateContentType)),
    delete: registry.contentTypes.delete.mutation(runSchemaMutation(deleteContentType)),
    checkDelete: registry.contentTypes.checkDelete.query(runQuery(checkContentTypeDelete)),
    rename: registry.contentTypes.rename.mutation(runSchemaMutation(renameContentType)),
  },
  fields: {
    list: registry.fields.list.query(runQuery(listFields)),
    create: registry.fields.create.mutation(runSchemaMutation(createField)),
    update: registry.fields.update.mutation(runSchemaMutation(updateField)),
    delete: registry.fields.delete.mutation(runSchemaMutation(deleteField)),
    rename: registry.fields.rename.mutation(runSchemaMutation(renameField)),
  },
  customFieldTypes: {
    list: registry.customFieldTypes.list.query(runQuery(listCustomFieldTypes)),
    create: registry.customFieldTypes.create.mutation(runSchemaMutation(createCustomFieldType)),
    update: registry.customFieldTypes.update.mutation(runSchemaMutation(updateCustomFieldType)),
    delete: registry.customFieldTypes.delete.mutation(runSchemaMutation(deleteCustomFieldType)),
  },
  entries: {
    list: registry.entries.list.query(runQuery(listEntries)),
    create: registry.entries.create.mutation(runMutation(createEntry)),
    get: registry.entries.get.query(runQuery(getEntry)),
    update: registry.entries.update.mutation(runMutation(updateEntry)),
    delete: registry.entries.delete.mutation(runMutation(deleteEntry)),
    publish: registry.entries.publish.mutation(runMutation(publishEntry)),
    unpublish: registry.entries.unpublish.mutation(runMutation(unpublishEntry)),
    duplicate: registry.entries.duplicate.mutation(runMutation(duplicateEntry)),
    copyLocale: registry.entries.copyLocale.mutation(runMutation(copyEntryLocale)),
    undelete: registry.entries.undelete.mutation(runMutation(undeleteEntry)),
    preview: registry.entries.preview.mutation(runPreviewLink(createEntryPreview)),
    validate: registry.entries.validate.query(runTrial(validateEntry)),
    listReferences: registry.entries.listReferences.query(runQuery(listEntryReferences)),
    listVersions: registry.entries.listVersions.query(runQuery(listEntryVersions)),
    getVersion: registry.entries.getVersion.query(runQuery(getEntryVersion)),
    diffVersions: registry.entries.diffVersions.query(runQuery(diffEntryVersions)),
    restoreVersion: registry.entries.restoreVersion.mutation(runMutation(restoreEntryVersion)),
    restore: registry.entries.restore.mutation(runMutation(restoreEntry)),
    bulk: registry.entries.bulk.mutation(runMutation(bulkEntries)),
    getValues: registry.entries.getValues.query(runQuery(getEntryValues)),
    search: registry.entries.search.query(runQuery(searchContent)),
  },
  sites: {
    list: registry.sites.list.query(runQuery(listSites)),
    create: registry.sites.create.mutation(runSchemaMutation(createSite)),
    get: registry.sites.get.query(runQuery(getSite)),
    update: registry.sites.update.mutation(runSchemaMutation(updateSite)),
    delete: registry.sites.delete.mutation(runSchemaMutation(deleteSite)),
  },
  redirects: {
    list: registry.redirects.list.query(runQuery(listRedirects)),
    create: registry.redirects.create.mutation(runMutation(createRedirect)),
    update: registry.redirects.update.mutation(runMutation(updateRedirect)),
    delete: registry.redirects.delete.mutation(runMutation(deleteRedirect)),
    import: registry.redirects.import.mutation(runMutation(importRedirects)),
    export: registry.redirects.export.query(runQuery(exportRedirects)),
  },
  tree: {
    get: registry.tree.get.query(runQuery(getSiteTree)),
    getGlobal: registry.tree.getGlobal.query(runQuery(getGlobalTree)),
    listNodes: registry.tree.listNodes.query(runQuery(listTreeNodes)),
    createNode: registry.tree.createNode.mutation(runMutation(createTreeNode)),
    updateNode: registry.tree.updateNode.mutation(runMutation(updateTreeNode)),
    deleteNode: registry.tree.deleteNode.mutation(runMutation(deleteTreeNode)),
    moveNode: registry.tree.moveNode.mutation(runMutation(moveTreeNode)),
  },
  apiKeys: {
    list: registry.apiKeys.list.query(runQuery(listApiKeys)),
    create: registry.apiKeys.create.mutation(runSchemaMutation(createApiKey)),
    get: registry.apiKeys.get.query(runQuery(getApiKey)),
    update: registry.apiKeys.update.mutation(runSchemaMutation(updateApiKey)),
    rotate: registry.apiKeys.rotate.mutation(runSchemaMutation(rotateApiKey)),
    revoke: registry.apiKeys.revoke.mutation(runSchemaMutation(revokeApiKey)),
  },
  roles: {
    list: registry.roles.list.query(runQuery(listRoles)),
    create: registry.roles.create.mutation(runSchemaMutation(createRole)),
    get: registry.roles.get.query(runQuery(getRole)),
    update: registry.roles.update.mutation(runSchemaMutation(updateRole)),
    delete: registry.roles.delete.mutation(runSchemaMutation(deleteRole)),
    listGrants: registry.roles.listGrants.query(runQuery(listGrants)),
    createGrant: registry.roles.createGrant.mutation(runSchemaMutation(createGrant)),
    deleteGrant: registry.roles.deleteGrant.mutation(runSchemaMutation(deleteGrant)),
  },
  users: {
    list: registry.users.list.query(runQuery(listUsers)),
    create: registry.users.create.mutation(runSchemaMutation(createUser)),
    get: registry.users.get.query(runQuery(getUser)),
    update: registry.users.update.mutation(runSchemaMutation(updateUser)),
    remove: registry.users.remove.mutation(runSchemaMutation(removeUser)),
  },
  ipAllowlist: {
    list: registry.ipAllowlist.list.query(runQuery(listIpRules)),
    create: registry.ipAllowlist.create.mutation(runSchemaMutation(createIpRule)),
    set: registry.ipAllowlist.set.mutation(runSchemaMutation(updateIpAllowlist)),
    update: registry.ipAllowlist.update.mutation(runSchemaMutation(updateIpRule)),
    delete: registry.ipAllowlist.delete.mutation(runSchemaMutation(deleteIpRule)),
  },
  audit: {
    listLogs: registry.audit.listLogs.query(runQuery(listAuditLogs)),
    listEvents: registry.audit.listEvents.query(runQuery(listAuditEvents)),
    exportEvents: registry.audit.exportEvents.query(runQuery(exportAuditEvents)),
    verify: registry.audit.verify.query(runQuery(verifyAuditEvents)),
  },
  webhooks: {
    list: registry.webhooks.list.query(runQuery(listWebhooks)),
    create: registry.webhooks.create.mutation(runWebhookMutation(createWebhook)),
    update: registry.webhooks.update.mutation(runWebhookMutation(updateWebhook)),
    delete: registry.webhooks.delete.mutation(runMutation(deleteWebhook)),
    rotateSecret: registry.webhooks.rotateSecret.mutation(runWebhookMutation(rotateWebhookSecret)),
    test: registry.webhooks.test.mutation(runWebhookCall(testWebhook)),
    listDeliveries: registry.webhooks.listDeliveries.query(runQuery(listWebhookDeliveries)),
    redeliver: registry.webhooks.redeliver.mutation(runMutation(redeliverWebhook)),
  },
  locales: { list: registry.locales.list.query(runQuery(listLocales)) },
  tenants: {
    list: registry.tenants.list.query(runQuery(listTenants)),
    create: registry.tenants.create.mutation(runSchemaMutation(createTenant)),
    get: registry.tenants.get.query(runQuery(getTenant)),
    update: registry.tenants.update.mutation(runSchemaMutation(updateTenant)),
    deactivate: registry.tenants.deactivate.mutation(runSchemaMutation(deactivateTenant)),
  },
  projects: {
    list: registry.projects.list.query(runQuery(listProjects)),
    create: registry.projects.create.mutation(runSchemaMutation(createProject)),
  },
  sessions: {
    login: registry.sessions.login.mutation(runLogin(login)),
    refresh: registry.sessions.refresh.mutation(runSession(refreshSession)),
    logout: registry.sessions.logout.mutation(runMutation(logout)),
  },
} satisfies { [Group in keyof Registry]: { [Verb in keyof Registry[Group]]: unknown } };

/** The application's procedures, which every surface loops over. */
export const appRouter = router(procedures);

/** What a TypeScript admin app imports to call the service with types. */
export type AppRouter = typeof appRouter;
