import { AppError } from '../../../../contracts/errors.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { prefixesSql } from './route-sql.js';

/** Of a first path segment that is a locale prefix of the site. */
export const slugReserved = (slug: string, locale: string | null): AppError =>
  new AppError('slug_reserved', { slug, ...(locale !== null && { locale }) });

/** A path, or the draft of a page: `of` names environment, node and slug. */
export interface ReservedPath {
  readonly of: string;
  readonly slug: string;
  readonly locale: string;
}

const findReserved = `SELECT r.environment_id || ' ' || r.node_id || ' ' || split_part(r.path, '/', 2) AS of,
    split_part(r.path, '/', 2) AS slug, r.locale
  FROM sites s JOIN environments v ON v.tenant_id = s.tenant_id AND v.project_id = $3
    JOIN routes r ON r.environment_id = v.id AND r.site_id = s.id
  WHERE s.tenant_id = $1 AND s.id = $2 AND split_part(r.path, '/', 2) = ANY (${prefixesSql})
  UNION ALL SELECT d.environment_id || ' ' || n.id || ' ' || d.slug, d.slug, d.locale
  FROM sites s JOIN environments v ON v.tenant_id = s.tenant_id AND v.project_id = $3
    JOIN entry_locales d ON d.environment_id = v.id AND d.site_id = s.id AND d.in_tree AND NOT d.is_deleted
    JOIN tree_nodes n ON n.environment_id = v.id AND n.entry_id = d.entry_id AND n.site_id = s.id
    LEFT JOIN tree_nodes up ON up.environment_id = v.id AND up.id = n.parent_id
  WHERE s.tenant_id = $1 AND s.id = $2 AND d.slug = ANY (${prefixesSql}) AND n.entry_id IS DISTINCT FROM s.home_entry_id
    AND (n.parent_id IS NULL OR up.entry_id = s.home_entry_id)`;

interface SegmentPlace {
  readonly siteId: string;
  readonly parentId: string | null;
  readonly locale: string | null;
}

/** First path segments that are locale prefixes of their site (rule routing/tree). */
export class ReservedPathRepository extends Repository {
  /** Paths and drafts of the site, in every environment, whose first segment is one of its locale prefixes. */
  async list(siteId: string): Promise<ReservedPath[]> {
    return this.query<ReservedPath>(findReserved, [this.tenantId, siteId, this.projectId]);
  }

  /** Why a segment is taken below a parent. */
  async refusal({ siteId, parentId, locale }: SegmentPlace, segment: string): Promise<AppError> {
    const rows = await this.query(
      `SELECT FROM sites s WHERE s.tenant_id = $1 AND s.id = $2 AND $3 = ANY (${prefixesSql}) AND ($4::uuid IS NULL
         OR EXISTS (SELECT FROM routes up WHERE up.environment_id = $5 AND up.node_id = $4::uuid AND up.path = '/'))`,
      [this.tenantId, siteId, segment, parentId, this.environmentId],
    );
    if (rows.length > 0) return slugReserved(segment, locale);
    return new AppError('slug_conflict', { slug: segment, ...(locale !== null && { locale }) });
  }
}
