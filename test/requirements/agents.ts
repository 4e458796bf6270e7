import type { Requirement } from './requirement.js';

/** Agent tool server. */
export const agents = {
  'mcp/transport': { source: 'mcp/transport', text: 'MCP speaks streamable HTTP with GET and POST.' },
  'mcp/tools': { source: 'mcp/transport', text: 'The tools of the table do what it says.' },
  'mcp/dry-run': {
    source: 'mcp/results',
    text: 'A tool that writes can be tried with dryRun: it answers what would change, and nothing does.',
  },
  'access/confirmation-token': {
    source: 'access/confirmation',
    text: 'With requireConfirmation publish, unpublish and delete answer a preview and a token first.',
  },
  'access/confirmation-on-every-surface': {
    source: 'access/confirmation',
    text: 'With requireConfirmation every surface responds to publish, unpublish, delete, their bulk calls and schedules with a preview and a token first.',
  },
  'access/confirmation-of-settings': {
    source: 'access/confirmation',
    text: 'requireConfirmation covers public files, switched-off allowlists, workflows and URLs of webhooks.',
  },
  'access/confirmation-of-paths': {
    source: 'access/confirmation',
    text: 'requireConfirmation covers every change of a published path, and of what a redirect or site serves.',
  },
  'mcp/tools-for-editing': {
    source: 'mcp/tools',
    text: 'Agents check drafts, compare versions, find references and get preview links.',
  },
  'mcp/tool-list-size': {
    source: 'mcp/tools, access/confirmation',
    text: 'tools/list is at most 8,000 tokens; content types are listed with seven keys.',
  },
  'mcp/resources': { source: 'mcp/transport', text: 'Content types and sites are resources.' },
  'access/project-not-revealed': {
    source: 'access/failures',
    text: 'A key on another project is refused alike, existing or not.',
  },
  'access/writes-within-sites': {
    source: 'graphql/endpoint',
    text: 'A write outside the key’s sites is refused with details.siteId.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;
