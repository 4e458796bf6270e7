import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { Id, inPath, InstantInput, ScopeSlug, Timestamp } from '../../primitives.js';
import { account } from '../../procedure.js';
import { toolsets } from '../../rights.js';

const tags = ['OAuth'];
const path = '/api/v1/oauth';

const OAuthRequest = z
  .object({
    id: Id,
    clientName: z.string().meta({ description: 'Name that the client gave itself. It is not verified.' }),
    redirectHost: z.string().meta({
      description: 'Host that receives the authorization, or the scheme of an app on this machine.',
    }),
    projectSlug: z.string().nullable().meta({
      description: 'Project whose MCP endpoint the client uses. Null: the user chooses one.',
    }),
    expiresAt: Timestamp,
  })
  .meta({ id: 'OAuthRequest', description: 'A client that waits for the consent of a user.' });
export type OAuthRequest = z.infer<typeof OAuthRequest>;

const OAuthRedirect = z
  .object({
    redirectTo: z.string().meta({ description: 'URL to open. It returns the browser to the client.' }),
  })
  .meta({ id: 'OAuthRedirect', description: 'Where a consent continues.' });

/** Rule access/oauth. */
export const oauth = {
  request: account({
    openapi: {
      method: 'GET',
      path: `${path}/requests/{requestId}`,
      summary: 'Get an authorization request',
      description: 'Returns what a client asks for that has sent the user to the consent page.',
      tags,
    },
    resource: 'sessions',
    action: 'read',
    errors: ['oauth_request_not_found'],
  })
    .input(
      z.strictObject({
        requestId: inPath('Id of the request.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'),
      }),
    )
    .output(dataOf(OAuthRequest)),

  consent: account({
    openapi: {
      method: 'POST',
      path: `${path}/consent`,
      summary: 'Decide an authorization request',
      description:
        'Approves or refuses the request of a client, once. The client exchanges the code in `redirectTo` for a key within a minute. The key is for MCP, has the chosen limits, and never reaches further than the user at the time of a call.',
      tags,
    },
    resource: 'sessions',
    action: 'create',
    secrets: { output: { 'data.redirectTo': 'authorization code' } },
    errors: [
      'oauth_request_not_found',
      'project_not_found',
      'wrong_project',
      'site_not_found',
      'limit_reached',
      'tenant_inactive',
      'ip_not_allowed',
    ],
  })
    .input(
      z.strictObject({
        requestId: Id.meta({
          description: 'Id of the request.',
          example: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69',
        }),
        approve: z.boolean().meta({ description: 'Whether the client may connect.', example: true }),
        projectSlug: ScopeSlug.optional().meta({
          description: 'Project that the client may use. Required to approve.',
          example: 'demo',
        }),
        toolsets: z
          .array(z.enum(toolsets))
          .max(toolsets.length)
          .optional()
          .meta({
            description: 'Groups of tools the client may use. Empty means all.',
            example: ['content'],
          }),
        siteIds: z
          .array(Id)
          .max(100)
          .optional()
          .meta({ description: 'Sites the client may write to. Empty means all.' }),
        draftOnly: z.boolean().default(true).meta({
          description: 'The client can read everything the user can, and edit drafts only.',
          example: true,
        }),
        expiresAt: InstantInput.optional().meta({
          description: `When the access ends: at most ${String(limits.oauthAccessDays)} days from now, and 30 days by default.`,
          example: '2027-01-01T00:00:00Z',
        }),
      }),
    )
    .output(dataOf(OAuthRedirect)),
};
