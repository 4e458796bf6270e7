import type { Snapshot } from '../../../persistence/work/unit-of-work.js';
import { Repository } from '../../../persistence/repositories/repository.js';

export class PreviewRepository extends Repository {
  async templateOf(siteId: string): Promise<string | null> {
    const [site] = await this.query<{ template: string | null }>(
      'SELECT preview_url_template AS template FROM sites WHERE tenant_id = $1 AND id = $2',
      [this.tenantId, siteId],
    );
    return site?.template ?? null;
  }

  /** The token is a credential for drafts, so the record names its creator. */
  noteSession({ id, name }: { readonly id: string; readonly name: string }, after: Snapshot): void {
    const target = { type: 'site', id, name };
    this.record({ action: 'site.preview', target, siteId: id, before: null, after });
  }

  /** The type's path of entries without a route. */
  async pathOf(contentTypeId: string): Promise<string | null> {
    const [type] = await this.query<{ path: string | null }>(
      'SELECT preview_path AS path FROM content_types WHERE environment_id = $1 AND id = $2',
      [this.environmentId, contentTypeId],
    );
    return type?.path ?? null;
  }
}
