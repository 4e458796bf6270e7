import { describe } from '@jest/globals';
import { describeWithOpenSearch, useOpenSearchApp } from '../../support/opensearch/opensearch-app.js';
import { verifies } from '../../support/verifies.js';
import { describeSiteSearch } from '../../delivery/site-search.js';
import { describeSiteSuggestions } from '../../delivery/site-suggestions.js';
import { survivesFaults } from './engine-faults.js';
import { rebuilds } from './engine-rebuild.js';
import { findsBlocks } from './block-conformance.js';
import { filtersAndCounts } from './filter-conformance.js';
import { groupsByEntry } from './group-conformance.js';
import { findsWhatIsMeant } from './labelled-conformance.js';
import { followsSettings } from './settings-conformance.js';
import { completesQueries } from './suggest-conformance.js';
import { findsText } from './text-conformance.js';

describeWithOpenSearch('Search in OpenSearch', () => {
  verifies('search/queries', 'search/index-command', 'search/index-rebuild', 'search/index-unavailable');

  const running = useOpenSearchApp();
  const { app } = running;

  describe('text', () => {
    findsText({ app, provider: 'opensearch' });
  });

  describe('labelled queries', () => {
    findsWhatIsMeant({ app, provider: 'opensearch' });
  });

  describe('blocks', () => {
    findsBlocks({ app, provider: 'opensearch' });
  });

  describe('filters', () => {
    filtersAndCounts({ app, provider: 'opensearch' });
  });

  describe('groups', () => {
    groupsByEntry({ app, provider: 'opensearch' });
  });

  describe('settings', () => {
    followsSettings({ app, provider: 'opensearch' });
  });

  describe('suggestions', () => {
    completesQueries({ app, provider: 'opensearch' });
  });

  describeSiteSearch(app);

  describeSiteSuggestions(app);

  describe('faults', () => {
    survivesFaults(running);
  });

  describe('rebuild', () => {
    rebuilds(running);
  });
});
