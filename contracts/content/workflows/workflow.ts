import { z } from 'zod';
import { limits } from '../../limits.js';
import { ApiName, Id, Name, ScopeSlug, Timestamp } from '../../primitives.js';

const stateKey = z
  .string()
  .max(limits.apiNameLength)
  .regex(
    /^[a-z][a-z0-9_]*$/,
    'must start with a lower-case letter and contain only lower-case letters, digits and underscores',
  )
  .meta({ description: 'Key of a state.', example: 'in_review' });

const roleIds = (description: string) =>
  z.array(Id).max(limits.rolesPerTransition).default([]).meta({ description });

const Color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #1f6feb')
  .meta({ description: 'Color for editors.', example: '#1f6feb' });

const State = z.strictObject({
  key: stateKey,
  name: Name,
  color: Color.nullable().default(null),
  isInitial: z.boolean().default(false).meta({ description: 'Where new entries start. Exactly one state.' }),
  allowsPublish: z.boolean().default(false).meta({ description: 'Whether the entry can be published.' }),
  editableBy: roleIds('Ids of the roles that can change the entry in this state. Empty means every editor.'),
});
export type WorkflowState = z.infer<typeof State>;

const Approvals = z
  .strictObject({
    required: z
      .int()
      .min(1)
      .max(limits.approvalsPerTransition)
      .meta({ description: 'Number of users who must approve.', example: 2 }),
    roleIds: roleIds(
      'Ids of the roles that can approve. Empty means every user who can make the transition.',
    ),
    distinctFromAuthor: z.boolean().default(true).meta({
      description: 'Whether those who changed the content since its last approval cannot approve it.',
    }),
  })
  .meta({ description: 'Approvals that the transition needs, at most one of each user.' });

const Transition = z.strictObject({
  from: stateKey,
  to: stateKey,
  name: Name.optional().meta({ description: 'Display name. Defaults to the name of the target state.' }),
  roleIds: roleIds('Ids of the roles that can make the transition. Empty means everyone who can update.'),
  requireComment: z.boolean().default(false),
  requireAssignee: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether the entry must have an assignee, given with the transition or before.' }),
  approvals: Approvals.nullable().default(null),
});
const NamedTransition = Transition.extend({ name: z.string() });
export type WorkflowTransition = z.infer<typeof NamedTransition>;

const states = z
  .array(State)
  .min(1)
  .max(limits.statesPerWorkflow)
  .meta({
    description: 'States, in order.',
    example: [
      { key: 'draft', name: 'Draft', isInitial: true },
      { key: 'approved', name: 'Approved', allowsPublish: true },
    ],
  });
const transitions = z
  .array(Transition)
  .max(limits.transitionsPerWorkflow)
  .meta({ description: 'Transitions between states.', example: [{ from: 'draft', to: 'approved' }] });
const contentTypes = z
  .array(ApiName)
  .max(limits.typesPerWorkflow)
  .meta({
    description: 'API names of the content types that use it. Empty means all.',
    example: ['article'],
  });
const siteIds = z
  .array(Id)
  .max(limits.sitesPerWorkflow)
  .meta({ description: 'Ids of the sites where it applies. Empty means all.', example: [] });
const Enforcement = z.enum(['advisory', 'strict']).meta({
  description: 'Whether publishing from another state is reported only (advisory) or refused (strict).',
  example: 'strict',
});
const PerLocale = z.boolean().meta({ description: 'Whether each locale of an entry has its own state.' });
const IsDefault = z.boolean().meta({
  description: 'Whether it applies to entries that no other workflow applies to. Replaces the previous one.',
});

/** Rules workflows/definition and workflows/approvals. */
export const Workflow = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    isDefault: IsDefault,
    contentTypes: z.array(z.string()).meta({ description: 'API names of its content types. Empty is all.' }),
    siteIds: z.array(z.string()).meta({ description: 'Ids of its sites. Empty is all.' }),
    enforcement: Enforcement,
    perLocale: PerLocale,
    states: z.array(State),
    transitions: z.array(NamedTransition),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Workflow', description: 'States of entries and the transitions between them.' });
export type Workflow = z.infer<typeof Workflow>;

export const workflowInput = {
  name: Name,
  slug: ScopeSlug.optional().meta({
    description: 'Defaults to one made from the name.',
    example: 'editorial',
  }),
  isDefault: IsDefault.optional(),
  contentTypes: contentTypes.optional(),
  siteIds: siteIds.optional(),
  enforcement: Enforcement.optional(),
  perLocale: PerLocale.optional(),
  states,
  transitions: transitions.optional(),
};

const roleSlugs = (description: string) =>
  z.array(ScopeSlug).max(limits.rolesPerTransition).optional().meta({ description });

const SchemaState = z.strictObject({
  key: stateKey,
  name: Name,
  color: Color.nullish(),
  isInitial: z.boolean().optional(),
  allowsPublish: z.boolean().optional(),
  editableBy: roleSlugs('Slugs of the roles that can change the entry in this state.'),
});

const SchemaTransition = z.strictObject({
  from: stateKey,
  to: stateKey,
  name: Name.optional(),
  roles: roleSlugs('Slugs of the roles that can make the transition.'),
  requireComment: z.boolean().optional(),
  requireAssignee: z.boolean().optional(),
  approvals: z
    .strictObject({
      required: Approvals.shape.required,
      roles: roleSlugs('Slugs of the roles that can approve.'),
      distinctFromAuthor: z.boolean().optional(),
    })
    .nullish(),
});

/** A workflow in a schema document, where roles and sites have their slugs. Omitted keys have their defaults. */
export const SchemaWorkflow = z
  .strictObject({
    slug: ScopeSlug,
    name: Name,
    isDefault: IsDefault.optional(),
    contentTypes: contentTypes.optional(),
    sites: z
      .array(ScopeSlug)
      .max(limits.sitesPerWorkflow)
      .optional()
      .meta({ description: 'Slugs of the sites where it applies. Empty means all.', example: [] }),
    enforcement: Enforcement.optional(),
    perLocale: PerLocale.optional(),
    states: z.array(SchemaState).min(1).max(limits.statesPerWorkflow),
    transitions: z.array(SchemaTransition).max(limits.transitionsPerWorkflow).optional(),
  })
  .meta({ id: 'SchemaWorkflow', description: 'A workflow in a schema document.' });
export type SchemaWorkflow = z.infer<typeof SchemaWorkflow>;

/** Excludes `slug`, which content types name. */
export const workflowChange = {
  name: Name.optional(),
  isDefault: z.literal(true).optional().meta({ description: 'Makes it the default workflow.' }),
  contentTypes: contentTypes.optional(),
  siteIds: siteIds.optional(),
  enforcement: Enforcement.optional(),
  perLocale: PerLocale.optional(),
  states: states.optional(),
  transitions: transitions.optional(),
};
