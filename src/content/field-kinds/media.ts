import { Id } from '../../../contracts/primitives.js';
import type { FieldDefinition } from '../model/field-definition.js';
import { problem, type Problem } from '../model/problem.js';
import { defineKind, validationsOf } from './define-kind.js';
import type { MediaFacts } from './rules.js';

/** `_type` of every link to an asset. */
const MEDIA_TYPE = 'MediaAsset';

/** Existence is not checked: a draft may name a missing asset (rule content/values). */
function checkMediaShape(value: unknown): Problem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return problem('invalid_type', `The value must be a link: { _ref, _type: "${MEDIA_TYPE}" }.`);
  const { _ref: id, _type: type = MEDIA_TYPE, ...others } = value as Record<string, unknown>;
  const problems = Object.keys(others).map((key): Problem => ({
    path: [key],
    code: 'unknown_key',
    message: 'A link has only the keys _ref and _type.',
  }));
  if (typeof id !== 'string' || id !== id.toLowerCase() || !Id.safeParse(id).success)
    problems.push({
      path: ['_ref'],
      code: 'invalid_format',
      message: 'The ID of an asset must be a lowercase UUID.',
    });
  if (type !== MEDIA_TYPE)
    problems.push({ path: ['_type'], code: 'wrong_type', message: `_type must be "${MEDIA_TYPE}".` });
  return problems;
}

/** Whether a media type is one of a list that may have `image/*`. */
export const isOfType = (mimeType: string, types: readonly string[]): boolean =>
  types.some((type) => (type.endsWith('/*') ? mimeType.startsWith(type.slice(0, -1)) : type === mimeType));

const sides = ['width', 'height'] as const;

/** A file without dimensions violates every bound of them. */
function checkSides(asset: MediaFacts, field: FieldDefinition): Problem[] {
  const { minWidth, maxWidth, minHeight, maxHeight } = validationsOf<'media'>(field);
  const bounds = { width: [minWidth, maxWidth], height: [minHeight, maxHeight] } as const;
  return sides.flatMap((side) => {
    const [min, max] = bounds[side];
    const pixels = asset[side];
    const isSmall = min !== undefined && (pixels === null || pixels < min);
    const isLarge = max !== undefined && (pixels === null || pixels > max);
    return [
      ...(isSmall ? problem('too_small', `The ${side} must be at least ${String(min)} pixels.`) : []),
      ...(isLarge ? problem('too_large', `The ${side} must be at most ${String(max)} pixels.`) : []),
    ];
  });
}

function checkMediaRules(asset: MediaFacts, field: FieldDefinition): Problem[] {
  const { mimeTypes, maxBytes } = validationsOf<'media'>(field);
  const isUnfit = mimeTypes !== undefined && !isOfType(asset.mimeType, mimeTypes);
  const isHeavy = maxBytes !== undefined && asset.size > maxBytes;
  return [
    ...(isUnfit
      ? problem('media_type_not_allowed', `The field does not allow files of type ${asset.mimeType}.`)
      : []),
    ...(isHeavy ? problem('too_large', `The file must have at most ${String(maxBytes)} bytes.`) : []),
    ...checkSides(asset, field),
  ];
}

/** A link to an asset, delivered as stored at `include=0` and as the asset from 1 on. */
export const media = defineKind({
  checkShape: checkMediaShape,
  mediaUses: (value) => [{ id: (value as { _ref: string })._ref, as: 'value' }],
  checkMedia: checkMediaRules,
  store: (value) => ({ _ref: (value as { _ref: string })._ref, _type: MEDIA_TYPE }),
  comparison: 'link',
  graphqlType: 'MediaAsset',
});
