import type { Registry } from '../../contracts/index.js';
import { createEntry, createType, publish } from './factories/content.js';
import { unique } from './factories/project.js';
import { accessExamples } from './access-examples.js';
import { credentialExamples } from './credential-examples.js';
import { must } from './call.js';
import { inProject, inSite, type Example, type Scene } from './scene.js';

export { openScene, type Example, type Scene } from './scene.js';

type Examples = { readonly [Group in keyof Registry]: { readonly [Verb in keyof Registry[Group]]: Example } };

const draft = ({ app, project }: Scene) =>
  createEntry(app, project, { contentTypeApiName: 'article', fields: { title: `Draft ${unique()}` } });

const live = async ({ app, project }: Scene) => publish(app, project, (await draft({ app, project })).id);

const changed = async (scene: Scene) => {
  const { app, project } = scene;
  const { id, version } = await draft(scene);
  const body = { version, fields: { title: `Changed ${unique()}` } };
  const path = `${project.management}/entries/${id}`;
  return must(app, { method: 'PUT', path, key: project.keys.management, body });
};

const deleted = async (scene: Scene) => {
  const { app, project } = scene;
  const path = `${project.management}/entries/${(await draft(scene)).id}`;
  return must(app, { method: 'DELETE', path, key: project.keys.management });
};

const folder = ({ app, project }: Scene) =>
  must(app, {
    method: 'POST',
    path: `${project.management}/tree/nodes`,
    key: project.keys.management,
    body: { siteId: project.siteId, slug: unique() },
  });

const emptyType = async ({ app, project }: Scene) => {
  const apiName = `kind${unique()}`;
  await createType(app, project, { apiName, fields: [{ apiName: 'spare', type: 'text' }] });
  return apiName;
};

const redirect = ({ app, project: { management, keys, siteId } }: Scene) =>
  must(app, {
    method: 'POST',
    path: `${management}/redirects`,
    key: keys.management,
    body: { siteId, source: `/old-${unique()}`, target: '/new' },
  });

const customType = async ({ app, project }: Scene) => {
  const apiName = `kind${unique()}`;
  const body = { apiName, name: 'Kind', jsonSchema: { type: 'object' } };
  const path = `${project.management}/custom-field-types`;
  await must(app, { method: 'POST', path, key: project.keys.management, body });
  return apiName;
};

/** Nobody listens there: calls are refused at once. */
const DEAF_TARGET = 'http://127.0.0.1:1/hook';

const webhook = async ({ app, project: { management, keys } }: Scene) => {
  const body = { name: 'Hook', url: DEAF_TARGET, events: ['*'] };
  return must(app, { method: 'POST', path: `${management}/webhooks`, key: keys.management, body });
};

const delivery = async (scene: Scene) => {
  const { id } = await webhook(scene);
  const { management, keys } = scene.project;
  const path = `${management}/webhooks/${id}/test`;
  const { deliveryId } = await must<{ deliveryId: string }>(scene.app, {
    method: 'POST',
    path,
    key: keys.management,
    body: {},
  });
  return { id, deliveryId };
};

/** Needed inputs by operation. A registered contract without an example does not compile. */
export const examples: Examples = {
  delivery: {
    getEntry: inSite(async (scene) => ({ id: (await live(scene)).id })),
    listContent: inSite(async (scene) => {
      await live(scene);
      return { contentTypeApiName: 'article' };
    }),
    getSitemap: inSite(() => ({})),
    resolveRoute: inSite(async ({ app, project }) => {
      const { management, keys, siteId } = project;
      const body = { siteId, source: `/old-${unique()}`, target: '/new' };
      await must(app, { method: 'POST', path: `${management}/redirects`, key: keys.management, body });
      return { path: body.source };
    }),
  },
  contentTypes: {
    list: inProject(() => ({})),
    create: inProject(() => ({
      apiName: `kind${unique()}`,
      name: 'Kind',
      fields: [{ apiName: 'title', type: 'text' }],
    })),
    get: inProject(() => ({ apiName: 'article' })),
    update: inProject(() => ({ apiName: 'article', name: `Article ${unique()}` })),
    delete: inProject(async (scene) => ({ apiName: await emptyType(scene) })),
    checkDelete: inProject(() => ({ apiName: 'article' })),
    rename: inProject(async (scene) => ({
      contentTypeApiName: await emptyType(scene),
      apiName: `kind${unique()}`,
    })),
  },
  fields: {
    list: inProject(() => ({ contentTypeApiName: 'article' })),
    create: inProject(() => ({ contentTypeApiName: 'article', apiName: `extra${unique()}`, type: 'text' })),
    update: inProject(() => ({
      contentTypeApiName: 'article',
      fieldApiName: 'body',
      name: `Body ${unique()}`,
    })),
    delete: inProject(async (scene) => ({
      contentTypeApiName: await emptyType(scene),
      fieldApiName: 'spare',
    })),
    rename: inProject(async (scene) => ({
      contentTypeApiName: await emptyType(scene),
      fieldApiName: 'spare',
      apiName: 'spareNow',
    })),
  },
  customFieldTypes: {
    list: inProject(() => ({})),
    create: inProject(() => ({ apiName: `kind${unique()}`, name: 'Kind', jsonSchema: { type: 'object' } })),
    update: inProject(async (scene) => ({ apiName: await customType(scene), name: 'Renamed' })),
    delete: inProject(async (scene) => ({ apiName: await customType(scene) })),
  },
  entries: {
    list: inProject(async (scene) => {
      await draft(scene);
      return {};
    }),
    create: inProject(({ project }) => ({
      contentTypeApiName: 'article',
      siteId: project.siteId,
      fields: { title: 'New' },
    })),
    get: inProject(async (scene) => ({ id: (await draft(scene)).id })),
    update: inProject(async (scene) => ({
      id: (await draft(scene)).id,
      version: 1,
      fields: { title: 'Changed' },
    })),
    delete: inProject(async (scene) => ({ id: (await draft(scene)).id })),
    publish: inProject(async (scene) => ({ id: (await draft(scene)).id })),
    unpublish: inProject(async (scene) => ({ id: (await live(scene)).id })),
    duplicate: inProject(async (scene) => ({ id: (await draft(scene)).id })),
    copyLocale: inProject(async (scene) => ({
      id: (await draft(scene)).id,
      fromLocale: 'en',
      toLocale: 'de',
    })),
    undelete: inProject(async (scene) => ({ id: (await deleted(scene)).id })),
    preview: inProject(async (scene) => ({ id: (await draft(scene)).id })),
    validate: inProject(async (scene) => ({ id: (await draft(scene)).id })),
    listReferences: inProject(async (scene) => ({ id: (await draft(scene)).id })),
    listVersions: inProject(async (scene) => ({ id: (await draft(scene)).id })),
    getVersion: inProject(async (scene) => ({ id: (await draft(scene)).id, versionNum: '1' })),
    diffVersions: inProject(async (scene) => ({ id: (await changed(scene)).id, from: 1 })),
    restoreVersion: inProject(async (scene) => ({ id: (await changed(scene)).id, versionNum: '1' })),
    restore: inProject(async (scene) => ({ id: (await changed(scene)).id, versionNum: 1 })),
    bulk: inProject(async (scene) => ({ action: 'publish', entryIds: [(await draft(scene)).id] })),
    getValues: inProject(async (scene) => ({ id: (await draft(scene)).id, locale: 'en' })),
    search: inProject(async (scene) => {
      await draft(scene);
      return {};
    }),
  },
  sites: {
    list: inProject(() => ({})),
    create: inProject(() => ({ slug: `site-${unique()}`, name: 'Site' })),
    get: inProject(() => ({ siteSlug: 'main' })),
    update: inProject(() => ({ siteSlug: 'main', name: `Main ${unique()}` })),
    delete: inProject(async ({ app, project }) => {
      const slug = `site-${unique()}`;
      const { management, keys } = project;
      await must(app, {
        method: 'POST',
        path: `${management}/sites`,
        key: keys.management,
        body: { slug, name: 'Site' },
      });
      return { siteSlug: slug };
    }),
  },
  redirects: {
    list: inProject(async (scene) => {
      await redirect(scene);
      return {};
    }),
    create: inProject(({ project }) => ({
      siteId: project.siteId,
      source: `/old-${unique()}`,
      target: '/new',
    })),
    update: inProject(async (scene) => ({ id: (await redirect(scene)).id, target: `/new-${unique()}` })),
    delete: inProject(async (scene) => ({ id: (await redirect(scene)).id })),
    import: inProject(({ project }) => ({
      siteId: project.siteId,
      csv: `source,target\r\n/old-${unique()},/new\r\n`,
    })),
    export: inProject(async (scene) => {
      await redirect(scene);
      return {};
    }),
  },
  tree: {
    get: inSite(async (scene) => {
      await folder(scene);
      return {};
    }),
    getGlobal: inProject(() => ({})),
    listNodes: inSite(async (scene) => {
      await folder(scene);
      return {};
    }),
    createNode: inProject(({ project }) => ({ siteId: project.siteId, name: 'Folder', slug: unique() })),
    updateNode: inProject(async (scene) => ({ id: (await folder(scene)).id, name: `Name ${unique()}` })),
    deleteNode: inProject(async (scene) => ({ id: (await folder(scene)).id })),
    moveNode: inProject(async (scene) => {
      const [parent, node] = [await folder(scene), await folder(scene)];
      return { id: node.id, parentId: parent.id };
    }),
  },
  ...accessExamples,
  ...credentialExamples,
  audit: {
    listLogs: inProject(() => ({})),
    listEvents: inProject(() => ({ targetType: 'content_type' })),
    exportEvents: inProject(() => ({ targetType: 'content_type' })),
    verify: inProject(() => ({})),
  },
  webhooks: {
    list: inProject(async (scene) => {
      await webhook(scene);
      return {};
    }),
    create: inProject(() => ({ name: 'Hook', url: DEAF_TARGET, events: ['entry.*'] })),
    update: inProject(async (scene) => ({ id: (await webhook(scene)).id, name: `Hook ${unique()}` })),
    delete: inProject(async (scene) => ({ id: (await webhook(scene)).id })),
    rotateSecret: inProject(async (scene) => ({ id: (await webhook(scene)).id, overlapSeconds: 60 })),
    test: inProject(async (scene) => ({ id: (await webhook(scene)).id, event: 'entry.published' })),
    listDeliveries: inProject(async (scene) => ({ id: (await delivery(scene)).id })),
    redeliver: inProject(delivery),
  },
  locales: { list: inProject(() => ({})) },
  tenants: {
    list: () => Promise.resolve({}),
    create: () => Promise.resolve({ slug: `t-${unique()}`, name: 'Tenant' }),
    get: ({ project }) => Promise.resolve({ tenantSlug: project.tenantSlug }),
    update: ({ project }) => Promise.resolve({ tenantSlug: project.tenantSlug, name: `Tenant ${unique()}` }),
    deactivate: ({ project }) => Promise.resolve({ tenantSlug: project.tenantSlug }),
  },
  projects: {
    list: ({ project }) => Promise.resolve({ tenantSlug: project.tenantSlug }),
    create: ({ project }) =>
      Promise.resolve({ tenantSlug: project.tenantSlug, slug: `p-${unique()}`, name: 'Project' }),
  },
};
