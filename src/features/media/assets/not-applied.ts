import type { Warning } from '../../../../contracts/envelopes.js';
import type { MediaAsset } from '../../../../contracts/resources/media-asset.js';
import type { AssetRequest } from './asset-input.js';

const keys = ['altText', 'title', 'description', 'folderId', 'tags', 'siteIds', 'focalPoint'] as const;

/** Equal for equal values; `null` and nothing at all are equal. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return JSON.stringify([...new Set((value as string[]).map(textOf))].sort());
  const { x, y } = (value ?? {}) as { readonly x?: number; readonly y?: number };
  return JSON.stringify([x ?? null, y ?? null]);
}

/** Ids ignore case. */
function differs(key: (typeof keys)[number], wanted: unknown, present: unknown): boolean {
  const [left, right] = [textOf(wanted), textOf(present)];
  return key === 'folderId' || key === 'siteIds'
    ? left.toLowerCase() !== right.toLowerCase()
    : left !== right;
}

/** What an upload asked for that the asset which existed does not have (decisions 2.14). */
export function notApplied(request: AssetRequest, asset: MediaAsset): Warning[] {
  return keys
    .filter((key) => request[key] !== undefined && differs(key, request[key], asset[key]))
    .map((key) => ({
      code: 'not_applied',
      message: `The file already was an asset, which keeps its ${key}. Update the asset, or upload with duplicate=create.`,
      path: [key],
    }));
}
