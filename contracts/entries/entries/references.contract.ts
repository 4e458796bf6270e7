import { z } from 'zod';
import { listOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { inPath, paging } from '../../primitives.js';
import { management } from '../../procedure.js';
import { EntryDependency, EntryReference } from './entry-reference.js';
import { inProject, managementRoute } from '../../routes.js';

const id = inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

export const entryReferences = {
  listReferences: management({
    openapi: managementRoute('GET', '/entries/{id}/references', {
      summary: 'List references to an entry',
      description: 'Returns the drafts that refer to this entry by field and locale, newest entries first.',
      tags: ['Entries'],
    }),
    mcp: {
      tool: 'find_references',
      toolset: 'content',
      title: 'Find references',
      description:
        'Lists the entries that refer to an entry, with the field and locale of each. Use this before unpublishing or deleting.',
      readOnly: true,
    },
    resource: 'entries',
    action: 'read',
    errors: ['entry_not_found'],
  })
    .input(inProject({ id, ...paging }))
    .output(listOf(EntryReference)),

  listDependencies: management({
    openapi: managementRoute('GET', '/entries/{id}/dependencies', {
      summary: 'List dependencies of an entry',
      description: `Returns the entries and assets that this entry links to in drafts and published documents, through references, media, blocks and rich text, nearest first; with \`direction=in\`, the entries that link to it. What the caller cannot read is left out, and not followed. At most ${String(limits.dependenciesListed)}, \`meta.isComplete\` is false if there are more.`,
      tags: ['Entries'],
    }),
    mcp: {
      tool: 'list_dependencies',
      toolset: 'content',
      title: 'List dependencies',
      description:
        'Lists the entries and assets that an entry links to, nearest first, or with `direction` in those that link to it.',
      readOnly: true,
    },
    resource: 'entries',
    action: 'read',
    errors: ['entry_not_found'],
  })
    .input(
      inProject({
        id,
        direction: z.enum(['out', 'in']).default('out').meta({
          description: '`out`: what the entry links to. `in`: what links to it.',
          example: 'in',
        }),
        depth: z
          .int()
          .min(1)
          .max(limits.dependencyDepth)
          .default(1)
          .meta({ description: 'Levels of links to follow.', example: 1 }),
      }),
    )
    .output(
      z.object({
        data: z.array(EntryDependency),
        meta: z.object({ isComplete: z.boolean() }).meta({ description: 'Whether nothing was left out.' }),
      }),
    ),
};
