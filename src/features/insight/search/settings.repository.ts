import type { SearchSettingsData } from '../../../content/search/boosts.js';
import { Repository } from '../../../persistence/repositories/repository.js';

export class SearchSettingsRepository extends Repository {
  async save({ synonyms, typeBoosts, fieldBoosts }: SearchSettingsData): Promise<void> {
    await this.query(
      `INSERT INTO search_settings (tenant_id, environment_id, synonyms, type_boosts, field_boosts, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (environment_id) DO UPDATE SET synonyms = $3, type_boosts = $4, field_boosts = $5, updated_at = $6`,
      [
        this.tenantId,
        this.environmentId,
        JSON.stringify(synonyms),
        JSON.stringify(typeBoosts),
        JSON.stringify(fieldBoosts),
        this.bound.now,
      ],
    );
  }

  /** @param before and after as clients see them */
  note(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): void {
    const { environmentSlug } = this.bound.scope;
    this.record({
      action: 'search_settings.update',
      target: { type: 'search_settings', id: this.environmentId, name: environmentSlug ?? '' },
      before,
      after,
    });
  }
}
