import type { Catalog } from '../../../../content/catalog.js';

/** What the workflow of a type on a site means for publications. */
export interface ReviewRule {
  readonly type_id: string;
  readonly site_id: string;
  readonly workflow: string;
  /** Whether the type names its workflow, or is named by it. */
  readonly is_chosen: boolean;
  readonly is_strict: boolean;
  readonly per_locale: boolean;
  readonly base_state: string;
  /** States that allow publishing. */
  readonly allowed: readonly string[];
}

/** For each type and site that has a workflow; keys as in the SQL of {@link reviewRulesSql}. */
export const reviewRules = (catalog: Catalog): ReviewRule[] =>
  catalog.data.contentTypes.flatMap(({ id: contentTypeId, workflowSlug }) =>
    catalog.data.sites.flatMap(({ id: siteId }) => {
      const workflow = catalog.workflowOf({ contentTypeId, siteId });
      if (workflow === undefined) return [];
      const { slug, contentTypeIds, enforcement, perLocale, baseState, states } = workflow;
      return [
        {
          type_id: contentTypeId,
          site_id: siteId,
          workflow: slug,
          is_chosen: slug === workflowSlug || contentTypeIds.includes(contentTypeId),
          is_strict: enforcement === 'strict',
          per_locale: perLocale,
          base_state: baseState,
          allowed: states.filter(({ allowsPublish }) => allowsPublish).map(({ key }) => key),
        },
      ];
    }),
  );

export const reviewRulesSql = (parameter: string): string =>
  `jsonb_to_recordset(${parameter}::jsonb) AS r (type_id uuid, site_id uuid, workflow text, is_chosen boolean, is_strict boolean,
     per_locale boolean, base_state text, allowed text[])`;
