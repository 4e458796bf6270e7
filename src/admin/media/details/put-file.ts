import { authorizedFetch } from '../../api/authorized-fetch.js';
import { RestRefusal } from '../../api/failure.js';
import { apiOrigin } from '../../api/origin.js';
import type { Asset, Project } from '../../api/project-data.js';

/**
 * Replaces the file of an asset. A call of tRPC carries 1 MiB at most, so the file is a part of a form.
 * @throws RestRefusal what the service refuses it with
 */
export async function putFile(
  { slug, environment }: Pick<Project, 'slug' | 'environment'>,
  { id, version }: Pick<Asset, 'id' | 'version'>,
  file: File,
): Promise<void> {
  const body = new FormData();
  body.append('version', String(version));
  // The service reads the parts before the file first.
  body.append('file', file);
  const url = `${apiOrigin}/api/v1/projects/${slug}/media/${id}/file`;
  const headers = { 'X-Environment': environment };
  const response = await authorizedFetch(url, { method: 'PUT', headers, body });
  if (!response.ok) throw new RestRefusal((await response.json()) as RestRefusal['data']);
}
