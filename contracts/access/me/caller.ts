import { z } from 'zod';
import { isTimeZone } from '../../entries/schedules/schedule.js';
import { limits } from '../../limits.js';
import { Id, Name, observed, ScopeSlug, Timestamp } from '../../primitives.js';
import { toolsets } from '../../rights.js';

export const AvatarContent = z
  .base64()
  .max(Math.ceil(limits.avatarUploadBytes / 3) * 4)
  .meta({
    description: 'A JPEG, PNG, WebP, AVIF or GIF file in Base64, at most 512 KiB.',
    example:
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  });

export const Avatar = z
  .object({
    userId: Id,
    image: z.string().meta({
      description: 'The picture, a square of 128 pixels, as the data URI of a WebP file.',
      example: 'data:image/webp;base64,UklGRg==',
    }),
  })
  .meta({ id: 'Avatar', description: 'The picture of a user.' });
export type Avatar = z.infer<typeof Avatar>;

const Language = z
  .string()
  .max(35)
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
  .nullable()
  .meta({ description: 'Language of the admin app. Null means that of the browser.', example: 'de' });
const TimeZone = z.string().max(64).refine(isTimeZone, 'must be an IANA time zone').nullable().meta({
  description: 'Time zone of the user. Null means that of the browser.',
  example: 'Europe/Zurich',
});
const Theme = z
  .enum(['light', 'dark'])
  .nullable()
  .meta({ description: 'Theme of the admin app. Null means that of the system.', example: 'dark' });

/** What users change about themselves. */
export const profileChange = {
  name: Name.optional(),
  language: Language.optional(),
  timeZone: TimeZone.optional(),
  theme: Theme.optional(),
};

export const Me = z
  .object({
    id: Id,
    email: z.string(),
    name: z.string(),
    isSuperAdmin: z.boolean(),
    language: z.string().nullable(),
    timeZone: z.string().nullable(),
    theme: z
      .enum(['light', 'dark'])
      .nullable()
      .meta({ description: 'Colors of the admin app. Null follows the device.' }),
    hasPassword: z.boolean().meta({ description: 'Whether the user can log in with a password.' }),
    needsSecondFactor: z
      .boolean()
      .meta({ description: 'Whether the user must set up a second factor before any other call.' }),
    tenant: z
      .object({ id: Id, slug: ScopeSlug, name: z.string() })
      .nullable()
      .meta({ description: 'Tenant of the account; null for a super-admin, who belongs to none.' }),
  })
  .meta({ id: 'Me', description: 'The user who calls.' });
export type Me = z.infer<typeof Me>;

export const OwnSession = z
  .object({
    id: Id,
    createdAt: Timestamp,
    lastUsedAt: Timestamp.meta({ description: 'Time of the last call, within five minutes.' }),
    expiresAt: Timestamp.meta({ description: 'Time at which it ends unless it is renewed.' }),
    network: z
      .string()
      .nullable()
      .meta({ description: 'IPv4 address, or IPv6 network, of the login or last renewal.' }),
    userAgent: z.string().nullable().meta({ description: '`User-Agent` of the login or last renewal.' }),
    isCurrent: z.boolean().meta({ description: 'Whether this call uses it.' }),
  })
  .meta({ id: 'OwnSession', description: 'An open session of the user.' });
export type OwnSession = z.infer<typeof OwnSession>;

const ConnectionKey = z
  .object({
    id: Id,
    project: z.object({ id: Id, slug: ScopeSlug, name: z.string() }),
    toolsets: z.array(z.enum(toolsets)).meta({ description: 'Permitted groups of tools. Empty means all.' }),
    siteIds: z.array(Id).meta({ description: 'Sites it can write to. Empty means all.' }),
    draftOnly: z.boolean().meta({ description: 'Whether it can edit drafts only.' }),
    createdAt: Timestamp,
    expiresAt: Timestamp.nullable(),
    lastUsedAt: observed(Timestamp.nullable()),
  })
  .meta({ id: 'ConnectionKey', description: 'An active key of a client.' });

export const OwnConnection = z
  .object({
    id: Id,
    clientName: z.string().meta({ description: 'Name that the client gave itself. It is not verified.' }),
    createdAt: Timestamp,
    lastUsedAt: observed(Timestamp.nullable()),
    keys: z.array(ConnectionKey).meta({ description: 'Its keys that work, newest first.' }),
  })
  .meta({ id: 'OwnConnection', description: 'An OAuth client that the user has connected.' });
export type OwnConnection = z.infer<typeof OwnConnection>;

export const EnterableProject = z
  .object({
    id: Id,
    slug: ScopeSlug,
    name: z.string(),
    tenantSlug: ScopeSlug,
    environments: z
      .array(z.object({ slug: ScopeSlug, isDefault: z.boolean(), isProtected: z.boolean() }))
      .meta({ description: 'Environments that the grants of the caller reach, the default one first.' }),
  })
  .meta({ id: 'EnterableProject', description: 'A project that the caller may enter.' });
export type EnterableProject = z.infer<typeof EnterableProject>;

const names = z.array(z.string()).optional();

const RightLimit = z
  .object({
    contentTypes: names.meta({ description: 'API names of content types.' }),
    siteIds: names.meta({ description: 'Ids of sites.' }),
    locales: names.meta({ description: 'Locales that can be written.' }),
    fields: names.meta({
      description: 'Fields that can be written, `_slug` for the slug.',
      example: ['title'],
    }),
    treeNodeIds: names.meta({ description: 'Ids of tree nodes, including their descendants.' }),
    ownOnly: z.boolean().meta({ description: 'Only what the caller created.' }),
    draftsOnly: z.boolean().meta({ description: 'Nothing published.' }),
  })
  .meta({
    id: 'RightLimit',
    description: 'Where an operation may be called. An absent list limits nothing.',
  });
export type RightLimit = z.infer<typeof RightLimit>;

export const CallerRights = z
  .object({
    caller: z
      .object({
        type: z.enum(['user', 'api_key']).meta({ description: 'Kind of the caller.' }),
        id: Id,
        name: z.string(),
      })
      .meta({ description: 'Who sends the request.' }),
    project: z.object({ id: Id, slug: ScopeSlug, name: z.string() }),
    environment: z.object({ slug: ScopeSlug, isProtected: z.boolean() }),
    operations: z
      .array(
        z.object({
          name: z
            .string()
            .meta({ description: 'Name of the operation in tRPC.', example: 'entries.publish' }),
          limits: z.array(RightLimit).meta({
            description: 'Empty: without limits. Otherwise what is within one of them is permitted.',
          }),
        }),
      )
      .meta({ description: 'Operations that the caller may call. Single items can still be refused.' }),
  })
  .meta({ id: 'CallerRights', description: 'What the caller may do in an environment of a project.' });
export type CallerRights = z.infer<typeof CallerRights>;
