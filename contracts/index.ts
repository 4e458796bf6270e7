import * as deliveryContent from './delivery/content.contract.js';
import * as deliveryEntries from './delivery/entries.contract.js';
import * as deliverySitemap from './delivery/sitemap.contract.js';
import * as deliveryRoutes from './delivery/routes.contract.js';
import * as agentContent from './management/agent-content.contract.js';
import * as apiKeys from './management/api-keys.contract.js';
import * as audit from './management/audit.contract.js';
import * as bulk from './management/bulk.contract.js';
import * as contentTypes from './management/content-types.contract.js';
import * as customFieldTypes from './management/custom-field-types.contract.js';
import * as entries from './management/entries.contract.js';
import * as entryCopies from './management/entry-copies.contract.js';
import * as entryPreview from './management/entry-preview.contract.js';
import * as entryReferences from './management/entry-references.contract.js';
import * as entryValidation from './management/entry-validation.contract.js';
import * as entryVersions from './management/entry-versions.contract.js';
import * as fields from './management/fields.contract.js';
import * as ipAllowlist from './management/ip-allowlist.contract.js';
import * as locales from './management/locales.contract.js';
import * as redirects from './management/redirects.contract.js';
import * as renames from './management/renames.contract.js';
import * as roles from './management/roles.contract.js';
import * as sites from './management/sites.contract.js';
import * as tree from './management/tree.contract.js';
import * as users from './management/users.contract.js';
import * as webhookDeliveries from './management/webhook-deliveries.contract.js';
import * as webhooks from './management/webhooks.contract.js';
import * as projects from './platform/projects.contract.js';
import * as sessions from './platform/sessions.contract.js';
import * as tenants from './platform/tenants.contract.js';

/**
 * Every contract by group and verb. The procedures' layer must bind each of them, or it does not
 * compile; the groups and verbs are the names that tRPC clients call.
 */
export const registry = {
  delivery: {
    getEntry: deliveryEntries.getDeliveryEntry,
    listContent: deliveryContent.listDeliveryContent,
    resolveRoute: deliveryRoutes.resolveRoute,
    getSitemap: deliverySitemap.getSitemap,
  },
  contentTypes: {
    list: contentTypes.listContentTypes,
    create: contentTypes.createContentType,
    get: contentTypes.getContentType,
    update: contentTypes.updateContentType,
    delete: contentTypes.deleteContentType,
    checkDelete: contentTypes.checkContentTypeDelete,
    rename: renames.renameContentType,
  },
  fields: {
    list: fields.listFields,
    create: fields.createField,
    update: fields.updateField,
    delete: fields.deleteField,
    rename: renames.renameField,
  },
  customFieldTypes: {
    list: customFieldTypes.listCustomFieldTypes,
    create: customFieldTypes.createCustomFieldType,
    update: customFieldTypes.updateCustomFieldType,
    delete: customFieldTypes.deleteCustomFieldType,
  },
  entries: {
    list: entries.listEntries,
    create: entries.createEntry,
    get: entries.getEntry,
    update: entries.updateEntry,
    delete: entries.deleteEntry,
    publish: entries.publishEntry,
    unpublish: entries.unpublishEntry,
    duplicate: entryCopies.duplicateEntry,
    copyLocale: entryCopies.copyEntryLocale,
    undelete: entryCopies.undeleteEntry,
    preview: entryPreview.createEntryPreview,
    validate: entryValidation.validateEntry,
    listReferences: entryReferences.listEntryReferences,
    listVersions: entryVersions.listEntryVersions,
    getVersion: entryVersions.getEntryVersion,
    diffVersions: entryVersions.diffEntryVersions,
    restoreVersion: entryVersions.restoreEntryVersion,
    restore: entryVersions.restoreEntry,
    bulk: bulk.bulkEntries,
    getValues: agentContent.getEntryValues,
    search: agentContent.searchContent,
  },
  sites: {
    list: sites.listSites,
    create: sites.createSite,
    get: sites.getSite,
    update: sites.updateSite,
    delete: sites.deleteSite,
  },
  redirects: {
    list: redirects.listRedirects,
    create: redirects.createRedirect,
    update: redirects.updateRedirect,
    delete: redirects.deleteRedirect,
    import: redirects.importRedirects,
    export: redirects.exportRedirects,
  },
  tree: {
    get: tree.getSiteTree,
    getGlobal: tree.getGlobalTree,
    listNodes: tree.listTreeNodes,
    createNode: tree.createTreeNode,
    updateNode: tree.updateTreeNode,
    deleteNode: tree.deleteTreeNode,
    moveNode: tree.moveTreeNode,
  },
  apiKeys: {
    list: apiKeys.listApiKeys,
    create: apiKeys.createApiKey,
    get: apiKeys.getApiKey,
    update: apiKeys.updateApiKey,
    rotate: apiKeys.rotateApiKey,
    revoke: apiKeys.revokeApiKey,
  },
  webhooks: {
    list: webhooks.listWebhooks,
    create: webhooks.createWebhook,
    update: webhooks.updateWebhook,
    delete: webhooks.deleteWebhook,
    rotateSecret: webhooks.rotateWebhookSecret,
    test: webhookDeliveries.testWebhook,
    listDeliveries: webhookDeliveries.listWebhookDeliveries,
    redeliver: webhookDeliveries.redeliverWebhook,
  },
  roles: {
    list: roles.listRoles,
    create: roles.createRole,
    get: roles.getRole,
    update: roles.updateRole,
    delete: roles.deleteRole,
    listGrants: roles.listGrants,
    createGrant: roles.createGrant,
    deleteGrant: roles.deleteGrant,
  },
  users: {
    list: users.listUsers,
    create: users.createUser,
    get: users.getUser,
    update: users.updateUser,
    remove: users.removeUser,
  },
  ipAllowlist: {
    list: ipAllowlist.listIpRules,
    create: ipAllowlist.createIpRule,
    set: ipAllowlist.updateIpAllowlist,
    update: ipAllowlist.updateIpRule,
    delete: ipAllowlist.deleteIpRule,
  },
  audit: {
    listLogs: audit.listAuditLogs,
    listEvents: audit.listAuditEvents,
    exportEvents: audit.exportAuditEvents,
    verify: audit.verifyAuditEvents,
  },
  locales: { list: locales.listLocales },
  tenants: {
    list: tenants.listTenants,
    create: tenants.createTenant,
    get: tenants.getTenant,
    update: tenants.updateTenant,
    deactivate: tenants.deactivateTenant,
  },
  projects: { list: projects.listProjects, create: projects.createProject },
  sessions: { login: sessions.login, refresh: sessions.refreshSession, logout: sessions.logout },
} as const;

/** The registry's shape: groups of contracts. */
export type Registry = typeof registry;

export type {
  Action,
  Admission,
  Audience,
  InputOf,
  OperationContext,
  OperationMeta,
  Resource,
  RestMeta,
  TextAnswer,
  TextBody,
  ToolMeta,
} from './operation.js';
