import type { WorkScope } from '../../../persistence/work/unit-of-work.js';
import type { EventBody } from '../delivery.repository.js';

const nothing = '00000000-0000-0000-0000-000000000000';

const samples: Readonly<Record<string, object>> = {
  entry: {
    ...{ entryId: nothing, contentTypeApiName: 'article', siteId: nothing, locale: 'en', slug: 'sample' },
    ...{ path: '/sample', version: 1, status: 'published', changedFields: [] },
  },
  content_type: { contentTypeApiName: 'article' },
  tree: { nodeId: nothing, siteId: nothing, entryId: null, path: '/sample' },
  redirect: {
    redirectId: nothing,
    siteId: nothing,
    locale: null,
    source: '/old',
    target: '/new',
    status: 301,
  },
  site: { siteId: nothing, slug: 'sample' },
  api_key: { apiKeyId: nothing, name: 'Sample', type: 'delivery' },
};

/** A sample of an event, marked by `data.isTest`. */
export function sampleEvent(
  { id, type, webhookId }: { id: string; type: string; webhookId: string },
  { scope, now }: { scope: WorkScope; now: Date },
): EventBody {
  const body = {
    ...{ id, type, timestamp: now.toISOString(), project: { slug: scope.projectSlug } },
    ...{ environment: scope.environmentSlug, actor: scope.actor, cause: null },
    data: { ...samples[type.split('.')[0] ?? ''], webhookId, isTest: true, surrogateKeys: [] },
  };
  return { id, body, requestId: scope.origin.requestId };
}
