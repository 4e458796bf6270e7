import type { Catalog } from '../../../content/catalog.js';
import { stateOf } from '../../../content/workflow/workflow-definition.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { MarkDifference } from './mark-check.repository.js';

interface StateRow {
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly entryId: string;
  readonly states: readonly (string | null)[];
}

/** Compares the stored states of entries with their workflows. */
export class StateCheckRepository extends Repository {
  async differences(catalog: Catalog, limit: number): Promise<MarkDifference[]> {
    await this.query("SELECT set_config('statement_timeout', '10min', true)");
    const rows = await this.query<StateRow>(
      `SELECT content_type_id AS "contentTypeId", site_id AS "siteId", entry_id AS "entryId",
         array_agg(DISTINCT workflow_state) AS states
       FROM entry_locales WHERE environment_id = $1
       GROUP BY content_type_id, site_id, entry_id HAVING bool_or(workflow_state IS NOT NULL)`,
      [this.environmentId],
    );
    const found = rows.flatMap((row) => {
      const problem = this.#problemOf(catalog, row);
      return problem === undefined ? [] : [{ of: `state of ${row.entryId}`, problem }];
    });
    return found.slice(0, limit);
  }

  #problemOf(catalog: Catalog, { states, ...entry }: StateRow): string | undefined {
    const workflow = catalog.workflowOf(entry);
    if (workflow === undefined) return 'no workflow applies';
    const unknown = states.find((key) => key !== null && stateOf(workflow, key) === undefined);
    if (unknown !== undefined) return `${workflow.slug} has no state ${unknown ?? ''}`;
    return workflow.perLocale || states.length === 1 ? undefined : 'its locales differ';
  }
}
