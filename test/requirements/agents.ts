import type { Requirement } from './requirement.js';

/** Agent tool server. */
export const agents = {
  'spec-4.4-transport': { source: 'mcp/transport', text: 'MCP speaks streamable HTTP with GET and POST.' },
  'spec-4.4-tools': { source: 'mcp/transport', text: 'The tools of the table do what it says.' },
  'dec-2.24-dry-run': {
    source: 'mcp/results',
    text: 'A tool that writes can be tried with dryRun: it answers what would change, and nothing does.',
  },
  'dec-2.24-confirm': {
    source: 'access/confirmation',
    text: 'With requireConfirmation publish, unpublish and delete answer a preview and a token first.',
  },
  'dec-3.12-confirm': {
    source: 'access/confirmation',
    text: 'With requireConfirmation every surface responds to publish, unpublish, delete, their bulk calls and schedules with a preview and a token first.',
  },
  'dec-4.13-confirm': {
    source: 'access/confirmation',
    text: 'requireConfirmation covers public files, switched-off allowlists, workflows and URLs of webhooks.',
  },
  'dec-4.16-confirm': {
    source: 'access/confirmation',
    text: 'requireConfirmation covers every change of a published path, and of what a redirect or site serves.',
  },
  'dec-2.24-more-tools': {
    source: 'mcp/tools',
    text: 'Agents check drafts, compare versions, find references and get preview links.',
  },
  'dec-3.11-agents': {
    source: 'mcp/tools, access/confirmation',
    text: 'tools/list is at most 8,000 tokens; content types are listed with seven keys.',
  },
  'spec-4.4-resources': { source: 'mcp/transport', text: 'Content types and sites are resources.' },
  'dec-2.30-wrong-project': {
    source: 'access/failures',
    text: 'A key on another project is refused alike, existing or not.',
  },
  'dec-2.30-sites': {
    source: 'graphql/endpoint',
    text: 'A write outside the key’s sites is refused with details.siteId.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
