import type { OperationsClient } from '../../../src/cli/client/operations-client.js';
import { measureQuality, readQueries, type Quality } from './labelled.js';

const RESULTS = 5;

/** How well the labelled queries find the pages of the corpus, which was imported with its keys. */
export async function searchQuality(client: OperationsClient, projectSlug: string): Promise<Quality> {
  return measureQuality(await readQueries(), async ({ locale, q }) => {
    const { data } = await client.call('search', 'find', {
      projectSlug,
      q,
      locale: [locale],
      contentTypeApiName: ['page'],
      fields: ['key'],
      limit: RESULTS,
    });
    return data.map(({ fields }) => String(fields?.key));
  });
}
