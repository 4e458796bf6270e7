import { Repository } from '../../../persistence/repositories/repository.js';

/** Which environment users and keys use where a call names none. */
export class SelectionRepository extends Repository {
  async select(environmentId: string): Promise<void> {
    const { type, id } = this.bound.scope.actor;
    if (type === 'api_key')
      await this.query('UPDATE api_keys SET selected_environment_id = $3 WHERE tenant_id = $1 AND id = $2', [
        this.tenantId,
        id,
        environmentId,
      ]);
    else
      await this.query(
        `INSERT INTO environment_selections AS s (tenant_id, project_id, user_id, environment_id) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant_id, project_id, user_id) DO UPDATE SET environment_id = excluded.environment_id`,
        [this.tenantId, this.projectId, id, environmentId],
      );
  }

  /** The environment that calls of the actor use; the default one without a choice. */
  async current(): Promise<string> {
    const { type, id } = this.bound.scope.actor;
    const chosen =
      type === 'api_key'
        ? 'SELECT coalesce(environment_id, selected_environment_id) FROM api_keys WHERE tenant_id = $1 AND id = $3'
        : 'SELECT environment_id FROM environment_selections WHERE tenant_id = $1 AND project_id = $2 AND user_id = $3';
    const [head] = await this.query<{ id: string }>(
      `SELECT environment_id AS id FROM environment_heads
       WHERE tenant_id = $1 AND project_id = $2 AND (is_default OR environment_id = (${chosen}))
       ORDER BY is_default LIMIT 1`,
      [this.tenantId, this.projectId, id],
    );
    return head?.id ?? '';
  }

  async forget(environmentId: string): Promise<void> {
    const bind = [this.tenantId, environmentId];
    await this.query('DELETE FROM environment_selections WHERE tenant_id = $1 AND environment_id = $2', bind);
    await this.query(
      'UPDATE api_keys SET selected_environment_id = NULL WHERE tenant_id = $1 AND selected_environment_id = $2',
      bind,
    );
  }
}
