import { z } from 'zod';
import { limits } from '../../limits.js';
import { expectedVersion, Id, InstantInput, LocaleCode, Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';

const comment = z.string().nullable();
const Approval = z.object({ by: Actor, at: Timestamp, comment });

const PossibleTransition = z.object({
  to: z.string(),
  name: z.string(),
  requireComment: z.boolean(),
  requireAssignee: z.boolean(),
  requiredApprovals: z.int().meta({ description: 'Number of approvals that it needs; 0 for none.' }),
});

const obstacles = [
  'permission_denied',
  'role_required',
  'user_required',
  'own_work',
  'already_approved',
] as const;
export type Obstacle = (typeof obstacles)[number];

/** Rules workflows/transitions and workflows/approvals. */
export const EntryWorkflow = z
  .object({
    entryId: z.string(),
    version: z.int().meta({ description: 'The version of the entry.' }),
    workflowSlug: z.string().nullable().meta({ description: 'Null if no workflow applies to the entry.' }),
    locale: z
      .string()
      .nullable()
      .meta({ description: 'Locale that the state belongs to; null if the entry has one state.' }),
    state: z.string().nullable().meta({ description: 'Null without a workflow.' }),
    enteredAt: Timestamp,
    enteredBy: Actor,
    assigneeId: z.string().nullable(),
    dueAt: Timestamp.nullable(),
    availableTransitions: z.array(PossibleTransition),
    unavailableTransitions: z
      .array(
        z.object({
          to: z.string(),
          name: z.string().meta({ description: 'Name of the transition.' }),
          reason: z.enum(obstacles).meta({ description: 'Why the caller cannot make it.' }),
        }),
      )
      .meta({ description: 'Transitions from the state that the caller cannot make now, and why.' }),
    pendingApprovals: z.array(
      z.object({
        to: z.string(),
        required: z.int().meta({ description: 'Number of approvals that are needed.' }),
        approvals: z.array(
          Approval.extend({
            isLapsed: z
              .boolean()
              .meta({ description: 'Whether the content has changed since. It no longer counts.' }),
          }),
        ),
      }),
    ),
    history: z
      .array(z.object({ from: z.string(), to: z.string(), ...Approval.shape, approvals: z.array(Approval) }))
      .meta({ description: 'The last 100 transitions, latest first.' }),
  })
  .meta({ id: 'EntryWorkflow', description: 'The state of an entry in its workflow.' });
export type EntryWorkflow = z.infer<typeof EntryWorkflow>;

export const workflowLocale = LocaleCode.optional().meta({
  description: 'Locale, where each has its own state.',
  example: 'en',
});

export const transitionInput = {
  to: z
    .string()
    .min(1)
    .max(limits.apiNameLength)
    .meta({ description: 'State to enter.', example: 'in_review' }),
  locale: workflowLocale,
  version: expectedVersion("the entry's"),
  comment: z
    .string()
    .max(limits.commentLength)
    .optional()
    .meta({ description: 'Note stored with the transition.', example: 'Ready for review' }),
  assigneeId: Id.nullish().meta({ description: 'User to assign; null removes the assignment.' }),
  dueAt: InstantInput.nullish().meta({ description: 'When it is due; null removes the time.' }),
};
