import type { graphqlReads } from '../../../contracts/delivery/graphql.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { DeliveryMedia } from '../../../contracts/resources/media-asset.js';
import type { DeliveryRead } from './delivery-read.js';
import { tenantLocalesOf } from './locale-chains.js';

/**
 * Reads an asset of any site.
 * @throws AppError 404 `locale_not_found`
 */
export async function readAsset(
  { catalog, media }: DeliveryRead,
  { id, locale }: InputOf<typeof graphqlReads.asset>,
): Promise<{ data: DeliveryMedia | null }> {
  const code = locale ?? catalog.data.locales.find(({ isDefault }) => isDefault)?.code ?? '';
  const asset = id.toLowerCase();
  return { data: (await media([asset], tenantLocalesOf(catalog, code))).get(asset) ?? null };
}
