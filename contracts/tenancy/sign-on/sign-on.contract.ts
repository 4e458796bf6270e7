import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import { inPath, Name, ScopeSlug, Timestamp } from '../../primitives.js';
import { platform, session } from '../../procedure.js';
import { LoginResult } from '../../access/sessions/session.js';
import { platformRoute } from '../../routes.js';

const tags = ['Platform'];
const tenantSlug = inPath('Slug of the tenant.', 'acme');
const pathAliases = { tenantSlug: 'slug' };

const Issuer = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .meta({
    description:
      'Issuer of the identity provider, which publishes `/.well-known/openid-configuration` below it. Https, except on loopback where the installation allows it.',
    example: 'https://login.example.com',
  });

const ClientId = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .meta({ description: 'Id of the service at the identity provider.', example: 'headwater' });

/** A claim or scope: the characters that OAuth allows in a scope. */
const Token = z
  .string()
  .max(100)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be printable ASCII without spaces, quotes and backslashes');

const GroupRole = z.strictObject({
  group: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'Group, as the identity provider names it.', example: 'editors' }),
  projectSlug: ScopeSlug.meta({ description: 'Project in which the group has the role.', example: 'main' }),
  roleSlug: ScopeSlug.meta({ description: 'Slug of the role.', example: 'editor' }),
});

/** Rule access/sign-on. */
export const SignOn = z
  .object({
    issuer: z.string().nullable(),
    clientId: z.string().nullable(),
    hasClientSecret: z
      .boolean()
      .meta({ description: 'Whether a client secret is stored. It is never shown.' }),
    label: z.string().nullable().meta({ description: 'Name of the identity provider on the login page.' }),
    scopes: z.array(z.string()).meta({ description: 'Scopes that are requested besides `openid`.' }),
    groupsClaim: z.string().meta({ description: 'Claim of the ID token that lists the groups.' }),
    groupRoles: z.array(GroupRole),
    createsAccounts: z.boolean(),
    requiresGroup: z.boolean(),
    allowsPasswords: z.boolean(),
    isActive: z.boolean(),
    updatedAt: Timestamp.nullable(),
  })
  .meta({ id: 'SignOn', description: 'How the users of a tenant sign on at its identity provider.' });
export type SignOn = z.infer<typeof SignOn>;

const SignOnCheck = z
  .object({
    isReady: z.boolean(),
    reason: z.string().nullable().meta({
      description:
        'Null if it is ready. `no_answer`: the provider does not respond; `invalid_answer`: its document is not that of the issuer.',
      example: 'no_answer',
    }),
  })
  .meta({ id: 'SignOnCheck', description: 'Whether the identity provider of a tenant responds as it must.' });
export type SignOnCheck = z.infer<typeof SignOnCheck>;

const signOnToken = z.string().min(1).max(2000).meta({
  description: 'The token that the start of the sign-on returned. It stays in the browser that started it.',
  example: 's1.3q2-7wAB',
});

const StartedSignOn = z
  .object({
    authorizationUrl: z.string().meta({ description: 'Page of the identity provider to open.' }),
    signOnToken: z.string().meta({ description: 'Finishes the sign-on within ten minutes.' }),
    label: z.string().nullable().meta({ description: 'Name of the identity provider.' }),
  })
  .meta({ id: 'StartedSignOn', description: 'A sign-on that continues at the identity provider.' });
export type StartedSignOn = z.infer<typeof StartedSignOn>;

const FinishedSignOn = z
  .object({
    session: LoginResult.meta({ description: 'The session, or the second factor that it needs.' }),
    logoutUrl: z.string().nullable().meta({
      description:
        'Page of the identity provider that ends the session there; null if it has none. Open it after the logout.',
    }),
  })
  .meta({
    id: 'FinishedSignOn',
    description: 'The session of a user who has signed on, or the challenge of their second factor.',
  });
export type FinishedSignOn = z.infer<typeof FinishedSignOn>;

const signOnChange = {
  issuer: Issuer.nullish(),
  clientId: ClientId.nullish(),
  clientSecret: z.string().min(1).max(200).nullish().meta({
    description: 'Client secret. Null for a public client. A new issuer without one clears it.',
    example: 'a secret of the provider',
  }),
  label: Name.nullish(),
  scopes: z
    .array(Token)
    .max(20)
    .optional()
    .meta({ description: 'Scopes that are requested besides `openid`.', example: ['email', 'profile'] }),
  groupsClaim: Token.optional().meta({
    description: 'Claim of the ID token that lists the groups.',
    example: 'groups',
  }),
  groupRoles: z.array(GroupRole).max(500).optional().meta({
    description:
      'Roles by group. At each sign-on, a user has of these roles exactly those of their groups; roles that are not listed stay.',
  }),
  createsAccounts: z
    .boolean()
    .optional()
    .meta({ description: 'Whether a first sign-on creates an account. Default true.' }),
  requiresGroup: z
    .boolean()
    .optional()
    .meta({ description: 'Whether only users of a group in `groupRoles` may sign on. Default false.' }),
  allowsPasswords: z.boolean().optional().meta({
    description:
      'Whether users of the tenant may also log in with a password. Default true. Super-admins always may.',
  }),
  isActive: z.boolean().optional().meta({ description: 'Whether users can sign on. Default false.' }),
};

export const signOn = {
  get: platform({
    openapi: platformRoute('GET', '/tenants/{tenantSlug}/sign-on', {
      summary: 'Get the sign-on of a tenant',
      description: 'Returns how users of the tenant sign on at its identity provider. Super-admins only.',
      tags,
      pathAliases,
    }),
    resource: 'tenants',
    action: 'read',
    errors: ['tenant_not_found'],
  })
    .input(z.strictObject({ tenantSlug }))
    .output(dataOf(SignOn)),

  set: platform({
    openapi: platformRoute('PUT', '/tenants/{tenantSlug}/sign-on', {
      summary: 'Update the sign-on of a tenant',
      description:
        'Updates the given keys. Sign-on can be active only with an issuer and a client id, and passwords can be disallowed only while it is active. Register `/admin/sign-on` below the public URL of the service as the redirect URI at the identity provider. Super-admins only.',
      tags,
      pathAliases,
    }),
    resource: 'tenants',
    action: 'update',
    secrets: { input: { clientSecret: 'client secret' } },
    errors: ['tenant_not_found', 'project_not_found', 'role_not_found', 'no_update_fields'],
  })
    .input(z.strictObject({ tenantSlug, ...signOnChange }))
    .output(dataOf(SignOn)),

  check: platform({
    openapi: platformRoute('POST', '/tenants/{tenantSlug}/sign-on/check', {
      summary: 'Check the sign-on of a tenant',
      description:
        'Reads the document of the identity provider now, and names what would keep users from signing on. Super-admins only.',
      tags,
      pathAliases,
    }),
    resource: 'tenants',
    action: 'update',
    changesNothing: true,
    errors: ['tenant_not_found', 'sign_on_not_available'],
  })
    .input(z.strictObject({ tenantSlug }))
    .output(dataOf(SignOnCheck)),

  start: session({
    openapi: {
      method: 'POST',
      path: '/api/v1/auth/sign-on',
      summary: 'Start a sign-on',
      description:
        'Returns the page of the identity provider of a tenant, and a token that only the same browser may use to finish. Tenants without sign-on and unknown ones are refused alike.',
      tags: ['Sessions'],
      protect: false,
    },
    resource: 'sessions',
    action: 'create',
    changesNothing: true,
    secrets: { output: { 'data.signOnToken': 'sign-on token' } },
    errors: ['sign_on_not_available', 'identity_provider_unavailable'],
  })
    .input(
      z.strictObject({
        tenantSlug: ScopeSlug.meta({ description: 'Slug of the tenant.', example: 'acme' }),
        redirectUri: z
          .url({ protocol: /^https?$/ })
          .max(500)
          .meta({
            description:
              'Page to which the provider returns the browser. It must be registered at the identity provider.',
            example: 'https://cms.example.com/admin/sign-on',
          }),
      }),
    )
    .output(dataOf(StartedSignOn)),

  finish: session({
    openapi: {
      method: 'POST',
      path: '/api/v1/auth/sign-on/session',
      summary: 'Finish a sign-on',
      description:
        'Exchanges the response of the identity provider for a session. The first sign-on of a user is linked to the account with the same address, which the provider must have verified, or creates one; the groups of the user give the roles of the tenant’s settings.',
      tags: ['Sessions'],
      protect: false,
    },
    resource: 'sessions',
    action: 'create',
    secrets: {
      input: { signOnToken: 'sign-on token' },
      output: {
        'data.session.accessToken': 'session token',
        'data.session.refreshToken': 'refresh token',
        'data.session.secondFactor.token': 'login challenge',
      },
    },
    errors: [
      'sign_on_failed',
      'sign_on_not_available',
      'identity_provider_unavailable',
      'tenant_inactive',
      'limit_reached',
    ],
  })
    .input(
      z.strictObject({
        signOnToken,
        response: z.string().min(1).max(8000).meta({
          description: 'Query of the address to which the identity provider has returned the browser.',
          example: 'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj',
        }),
      }),
    )
    .output(dataOf(FinishedSignOn)),
};
