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
    text: 'the default tools cost at most 8,000 tokens; content types are listed with seven keys.',
  },
  'mcp/schemas': {
    source: 'mcp/toolsets',
    text: 'The schemas of all tools follow the written rules of OpenAI, Gemini and Anthropic.',
  },
  'mcp/structure-tools': {
    source: 'mcp/tools',
    text: 'Agents move pages by their entries, and create and change nodes and redirects.',
  },
  'mcp/written-tasks': {
    source: 'mcp/tools',
    text: 'Five tasks of editors are done with the tools alone, and no step of them is refused.',
  },
  'mcp/lessons': {
    source: 'mcp/toolsets',
    text: 'The message of a refused call says what to send instead, of what the key can read.',
  },
  'mcp/prompts': {
    source: 'mcp/toolsets',
    text: 'Prompts, a resource template and completions of ids and slugs are offered.',
  },
  'access/oauth': {
    source: 'access/oauth',
    text: 'A host of agents that knows only the URL registers, asks a user for consent, and exchanges the code for a key that never exceeds the user.',
  },
  'access/connections': {
    source: 'access/oauth',
    text: 'Users list the clients that have keys of theirs, and end one with all its keys, codes and streams in every project.',
  },
  'access/oauth-under-attack': {
    source: 'access/oauth',
    text: 'Codes work once, for their client and verifier; redirects go to registered addresses, and keys work over MCP alone.',
  },
  'mcp/toolsets': {
    source: 'mcp/toolsets',
    text: 'Keys and URLs choose toolsets; the URL narrows the key, and without a choice the default tools are offered.',
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
