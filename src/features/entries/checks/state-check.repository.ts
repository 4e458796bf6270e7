import type { Catalog } from '../../../content/catalog.js';
import { initialState, stateOf, storedState } from '../../../content/workflow/workflow-definition.js';
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
    const found = (await this.#rows()).flatMap((row) => {
      const problem = this.#problemOf(catalog, row);
      return problem === undefined ? [] : [{ of: `state of ${row.entryId}`, problem }];
    });
    return found.slice(0, limit);
  }

  /** Entries without a valid state start again; where each locale has its own state, only locales without one. */
  async repair(catalog: Catalog): Promise<void> {
    const wrong = (await this.#rows()).filter((row) => this.#problemOf(catalog, row) !== undefined);
    const workflows = wrong.map((row) => catalog.workflowOf(row));
    await this.query(
      `UPDATE entry_locales l SET workflow_state = g.initial
       FROM unnest($2::uuid[], $3::text[], $4::jsonb[]) AS g (entry_id, initial, kept)
       WHERE l.environment_id = $1 AND l.entry_id = g.entry_id AND (g.kept IS NULL OR NOT g.kept ? l.workflow_state)`,
      [
        this.environmentId,
        wrong.map(({ entryId }) => entryId),
        workflows.map((workflow) => workflow && storedState(workflow, initialState(workflow))),
        workflows.map((workflow) =>
          workflow?.perLocale === true ? JSON.stringify(workflow.states.map(({ key }) => key)) : null,
        ),
      ],
    );
  }

  async #rows(): Promise<StateRow[]> {
    await this.allowTime(600);
    return this.query<StateRow>(
      `SELECT content_type_id AS "contentTypeId", site_id AS "siteId", entry_id AS "entryId",
         array_agg(DISTINCT workflow_state) AS states
       FROM entry_locales WHERE environment_id = $1
       GROUP BY content_type_id, site_id, entry_id HAVING bool_or(workflow_state IS NOT NULL)`,
      [this.environmentId],
    );
  }

  #problemOf(catalog: Catalog, { states, ...entry }: StateRow): string | undefined {
    const workflow = catalog.workflowOf(entry);
    if (workflow === undefined) return 'no workflow applies';
    const unknown = states.find((key) => key !== null && stateOf(workflow, key) === undefined);
    if (unknown !== undefined) return `${workflow.slug} has no state ${unknown ?? ''}`;
    return workflow.perLocale || states.length === 1 ? undefined : 'its locales differ';
  }
}
