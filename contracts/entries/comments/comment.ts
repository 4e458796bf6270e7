import { z } from 'zod';
import { limits } from '../../limits.js';
import { ApiName, LocaleCode, Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';

const position = z.int().min(0).max(2_147_483_647);
const rangeNote =
  'Position: a ProseMirror position in rich text, else a number of UTF-16 units. Absent, with the other one, for the whole field.';

const CommentAnchor = z.object({
  field: z.string(),
  block: z
    .string()
    .nullable()
    .meta({ description: 'Id of the block that has the field; null for the entry.' }),
  locale: z.string().meta({ description: 'Locale of the field.' }),
  from: z
    .int()
    .nullable()
    .meta({ description: 'Null for the whole field, or if what it quotes was deleted.' }),
  to: z.int().nullable().meta({ description: 'Position after the last character. Null is the end.' }),
  quote: z.string().nullable().meta({ description: 'What was commented on.' }),
  orphaned: z.boolean().meta({ description: 'Whether what it quotes, the field or the block was deleted.' }),
});

/** Rule entries/comments. */
export const EntryComment = z
  .object({
    id: z.string(),
    entryId: z.string(),
    parentId: z.string().nullable().meta({ description: 'The first comment of the thread; null for it.' }),
    text: z.string(),
    mentions: z.array(z.string()).meta({ description: 'Ids of the mentioned users.' }),
    anchor: CommentAnchor.nullable(),
    createdBy: Actor,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    resolvedAt: Timestamp.nullable().meta({
      description: 'When the thread was resolved; null if it is open.',
    }),
    resolvedBy: Actor.nullable(),
  })
  .meta({ id: 'EntryComment', description: 'A comment on an entry, or a reply to one.' });
export type EntryComment = z.infer<typeof EntryComment>;

export const CommentText = z
  .string()
  .trim()
  .min(1)
  .max(limits.commentTextLength)
  .meta({
    description: 'Plain text. `@[userId]` mentions a member of the project.',
    example: 'Is the height still right?',
    pattern: String.raw`\S`,
  });

export const commentInput = {
  text: CommentText,
  parentId: z.uuid().nullish().meta({
    description: 'The comment to reply to: the first one of a thread.',
    example: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a71',
  }),
  anchor: z
    .strictObject({
      field: ApiName.meta({
        description: 'Field of the entry or, with `block`, of the block.',
        example: 'title',
      }),
      block: z.uuid().nullish().meta({
        description: 'Id of a block of the entry, on any level, that has the field.',
        example: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a73',
      }),
      locale: LocaleCode,
      from: position.optional().meta({ description: rangeNote, example: 4 }),
      to: position.optional().meta({ description: 'The position after the last one.', example: 9 }),
    })
    .nullish()
    .meta({ description: 'What the comment is about; the whole entry if absent. Replies have none.' }),
};
