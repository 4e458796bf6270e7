import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useOwnApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { findsBlocks } from './block-conformance.js';
import { filtersAndCounts } from './filter-conformance.js';
import { groupsByEntry } from './group-conformance.js';
import { findsWhatIsMeant } from './labelled-conformance.js';
import { followsSettings } from './settings-conformance.js';
import { completesQueries } from './suggest-conformance.js';
import { findsText } from './text-conformance.js';

const app = useOwnApp();

describe('Search in the database', () => {
  verifies(
    'search/drafts',
    'search/drafts-by-text-and-fields',
    'search/words',
    'search/queries',
    'search/rights',
    'search/suggestions',
    'delivery/search-input',
  );

  findsText({ app, provider: 'database' });
  findsWhatIsMeant({ app, provider: 'database' });
  findsBlocks({ app, provider: 'database' });
  filtersAndCounts({ app, provider: 'database' });
  groupsByEntry({ app, provider: 'database' });
  followsSettings({ app, provider: 'database' });
  completesQueries({ app, provider: 'database' });
});

describe('Search by meaning', () => {
  it('is refused without an embedding server', async () => {
    const desk = await openDesk(app());
    for (const mode of ['semantic', 'hybrid'])
      expect(outcome(await desk.get(`/search?q=lock&mode=${mode}`))).toEqual([
        422,
        'semantic_search_unavailable',
      ]);
    expect((await desk.get('/search?q=lock&mode=keyword')).status).toBe(200);
  });
});

describe('POST search/reindex', () => {
  verifies('search/index-command');

  it('has no effect in the database', async () => {
    const desk = await openDesk(app());
    const { body } = await desk.post('/search/reindex', { siteIds: [desk.project.siteId] });
    expect(body).toEqual({ data: { status: 'noop', provider: 'database' } });
    expect(outcome(await desk.post('/search/reindex', { contentTypes: ['none'] }))).toEqual([
      404,
      'content_type_not_found',
    ]);
  });
});
