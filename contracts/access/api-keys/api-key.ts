import { z } from 'zod';
import { limits } from '../../limits.js';
import { toolsets } from '../../rights.js';
import { Description, Id, InstantInput, Name, observed, ScopeSlug, Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';

/** Rule access/credentials. */
export const keyTypes = ['delivery', 'preview', 'management'] as const;
export type KeyType = (typeof keyTypes)[number];

/** Rule access/keys. */
export const keyActions = ['read', 'create', 'update', 'publish', 'unpublish', 'delete'] as const;
export type KeyAction = (typeof keyActions)[number];

const Permissions = z
  .array(z.enum(keyActions))
  .max(keyActions.length)
  .meta({ description: 'Permitted actions. An empty list permits all.', example: ['read'] });

const RateLimit = z
  .int()
  .min(1)
  .max(limits.rateLimitMaximum)
  .meta({ description: 'Requests per minute. Overrides the default of the key type.', example: 600 });

export const Network = z
  .string()
  .max(64)
  .meta({ description: 'A network in CIDR form or a single address.', example: '203.0.113.0/24' });

const IpAllowlist = z
  .array(Network)
  .max(limits.networksPerKey)
  .meta({ description: 'Networks the key can be used from. Empty means any.' });

const DraftOnly = z.boolean().meta({
  description: 'The key can read everything and edit drafts. It cannot change published content or settings.',
});

const Toolsets = z
  .array(z.enum(toolsets))
  .max(toolsets.length)
  .meta({ description: 'Groups of MCP tools the key can use. Empty means all.', example: ['content'] });

export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    type: z.enum(keyTypes).meta({ description: 'Kind of the key.' }),
    permissions: Permissions,
    effectivePermissions: z
      .array(z.enum(keyActions))
      .meta({ description: 'Actions that `permissions`, type and `draftOnly` permit together.' }),
    siteIds: z.array(z.string()).meta({ description: 'Sites the key can write to. Empty means all.' }),
    environment: z.string().nullable().meta({ description: 'Slug of the environment the key is bound to.' }),
    prefix: z.string().meta({ description: 'First characters of the secret.', example: 'hwm_' }),
    lastFour: z.string().meta({ description: 'Last four characters of the secret.' }),
    rateLimit: RateLimit.nullable(),
    ipAllowlist: IpAllowlist,
    draftOnly: DraftOnly,
    toolsets: Toolsets,
    expiresAt: Timestamp.nullable(),
    revokedAt: Timestamp.nullable(),
    lastUsedAt: observed(Timestamp.nullable()),
    requireConfirmation: z.boolean().meta({
      description: 'Whether callers must confirm publish, unpublish and delete.',
    }),
    status: z.enum(['active', 'expired', 'revoked']).meta({ description: 'Whether the key works.' }),
    overlapEndsAt: Timestamp.nullable().meta({
      description: 'Time until which the previous secret stays valid.',
    }),
    oauthClientId: z.string().nullable().meta({
      description:
        'OAuth client that the key was issued to. The key is for MCP and never exceeds the rights of the user in `createdBy`.',
    }),
    createdAt: Timestamp,
    createdBy: Actor,
    updatedAt: Timestamp,
  })
  .meta({ id: 'ApiKey', description: 'An API key. The secret is returned only on creation.' });
export type ApiKey = z.infer<typeof ApiKey>;

/** The secret is not stored and cannot be read again. */
export const CreatedApiKey = z
  .object({ ...ApiKey.shape, secret: z.string() })
  .meta({ id: 'CreatedApiKey', description: 'A new API key with its secret.' });

/** `permissions` defaults by type (rule access/keys). */
export const apiKeyInput = {
  name: Name,
  type: z.enum(keyTypes).meta({ description: 'Kind of the key.' }),
  description: Description.nullish(),
  permissions: Permissions.optional(),
  siteIds: z.array(Id).max(100).optional(),
  environment: ScopeSlug.nullish(),
  expiresAt: InstantInput.nullish(),
  rateLimit: RateLimit.nullish(),
  ipAllowlist: IpAllowlist.optional(),
  draftOnly: DraftOnly.optional(),
  toolsets: Toolsets.optional(),
  requireConfirmation: z.boolean().default(false).meta({
    description:
      'Publish, unpublish and delete must be confirmed: the first call returns a preview and a token.',
  }),
};

/** Excludes type, permissions and sites, which are fixed at creation. */
export const apiKeyChange = {
  name: Name.optional(),
  description: Description.nullish(),
  expiresAt: InstantInput.nullish(),
  rateLimit: RateLimit.nullish(),
  ipAllowlist: IpAllowlist.optional(),
  toolsets: Toolsets.optional(),
};
