import { dataOf } from '../../envelopes.js';
import { expectedVersion, inPath, LocaleCode } from '../../primitives.js';
import { management } from '../../procedure.js';
import { Entry } from './entry.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Entries'];
const input = inProject({
  id: inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'),
  blockId: inPath('Id of the block.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a70'),
  version: expectedVersion("the entry's"),
  locale: LocaleCode.optional().meta({
    description: 'Locale of the values in the response. Defaults to the site default.',
    example: 'en',
  }),
});

const errors = [
  'entry_not_found',
  'block_not_found',
  'locale_not_found',
  'version_conflict',
  'precondition_failed',
  'slug_conflict',
  'limit_reached',
] as const;

export const entryBlocks = {
  shareBlock: management({
    openapi: managementRoute('POST', '/entries/{id}/blocks/{blockId}/share', {
      summary: 'Share a block',
      description:
        'Turns a block of the entry into a separate entry with the same id, on the site of the entry, as a draft in every locale of it. The entry links it instead. Published documents change when the entry is published again.',
      tags,
      versioned: true,
    }),
    resource: 'entries',
    action: 'update',
    events: ['entry.updated', 'entry.created', 'entry.workflow_changed'],
    errors: [...errors, 'block_is_shared'],
  })
    .input(input)
    .output(dataOf(Entry)),

  detachBlock: management({
    openapi: managementRoute('POST', '/entries/{id}/blocks/{blockId}/detach', {
      summary: 'Detach a shared block',
      description:
        'Replaces the links of the entry to a shared block by a block of the entry with a new id and the draft values of the shared one in the locales of the entry. The shared block stays.',
      tags,
      versioned: true,
    }),
    resource: 'entries',
    action: 'update',
    events: ['entry.updated', 'entry.workflow_changed'],
    errors: [...errors, 'block_not_shared'],
  })
    .input(input)
    .output(dataOf(Entry)),
};
