import { registry, type graphqlRegistry, type Registry } from '../../contracts/index.js';
import { router } from '../../contracts/procedure.js';
import * as access from './access.procedures.js';
import * as content from './content.procedures.js';
import * as deployment from './deployment.procedures.js';
import * as editorial from './editorial.procedures.js';
import * as entries from './entries.procedures.js';
import * as environments from './environments.procedures.js';
import * as insight from './insight.procedures.js';
import * as media from './media.procedures.js';
import * as operations from './operations.procedures.js';
import * as publishing from './publishing.procedures.js';
import * as routing from './routing.procedures.js';
import * as tenancy from './tenancy.procedures.js';

/** A contract without a binding does not compile. */
const { graphql, ...procedures } = {
  ...access,
  ...content,
  ...deployment,
  ...editorial,
  ...entries,
  ...environments,
  ...insight,
  ...media,
  ...operations,
  ...publishing,
  ...routing,
  ...tenancy,
} satisfies Bound<Registry & typeof graphqlRegistry>;

type Bound<Contracts> = {
  [Group in keyof Contracts]: { [Verb in keyof Contracts[Group]]: unknown };
};

/** In the order of the registry, which that of the OpenAPI document follows. */
const ordered = Object.fromEntries(
  (Object.keys(registry) as (keyof Registry)[]).map((group) => [group, procedures[group]]),
) as typeof procedures;

export const appRouter = router(ordered);

/** Root fields of GraphQL; no other surface serves them. */
export const graphqlRouter = router({ graphql });

export type AppRouter = typeof appRouter;
