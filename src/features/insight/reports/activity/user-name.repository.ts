import { Repository } from '../../../../persistence/repositories/repository.js';

export class UserNameRepository extends Repository {
  /** Names of these members of the project by id. */
  async names(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.query<{ id: string; name: string }>(
      `SELECT u.id, u.name FROM members m JOIN users u ON u.tenant_id = m.tenant_id AND u.id = m.user_id
       WHERE m.project_id = $1 AND u.id::text = ANY($2::text[])`,
      [this.projectId, ids],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}
