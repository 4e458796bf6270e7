import { readFile } from 'node:fs/promises';
import type { IOptions } from 'sanitize-html';
import { DamagedFile } from './file-window.js';

/** Drawings of this size are no pictures for a page. */
const MAXIMUM_BYTES = 5 * 1024 * 1024;

const tags = (
  'svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath ' +
  'linearGradient radialGradient stop clipPath mask pattern marker filter feBlend feColorMatrix ' +
  'feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight ' +
  'feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology ' +
  'feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence'
).split(' ');

const attributes = (
  'id class xmlns xmlns:xlink version viewBox width height x y x1 x2 y1 y2 cx cy r rx ry fx fy fr d points ' +
  'pathLength transform opacity fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap ' +
  'stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset color display visibility overflow ' +
  'clip-path clip-rule mask mask-type filter href xlink:href offset stop-color stop-opacity gradientUnits ' +
  'gradientTransform spreadMethod patternUnits patternContentUnits patternTransform clipPathUnits maskUnits ' +
  'maskContentUnits markerUnits markerWidth markerHeight refX refY orient marker-start marker-mid marker-end ' +
  'preserveAspectRatio font-family font-size font-style font-weight letter-spacing word-spacing text-anchor ' +
  'dominant-baseline alignment-baseline baseline-shift text-decoration dx dy rotate textLength lengthAdjust ' +
  'startOffset in in2 result stdDeviation values type mode operator k1 k2 k3 k4 scale xChannelSelector ' +
  'yChannelSelector tableValues slope intercept amplitude exponent flood-color flood-opacity lighting-color ' +
  'surfaceScale diffuseConstant specularConstant specularExponent azimuth elevation pointsAtX pointsAtY ' +
  'pointsAtZ limitingConeAngle baseFrequency numOctaves seed stitchTiles order kernelMatrix divisor bias ' +
  'targetX targetY edgeMode preserveAlpha radius filterUnits primitiveUnits vector-effect shape-rendering ' +
  'text-rendering image-rendering color-interpolation color-interpolation-filters paint-order xml:space'
).split(' ');

const isReference = (name: string): boolean => name === 'href' || name === 'xlink:href';

/** References within the drawing only. */
function isSafe(name: string, value: string): boolean {
  if (isReference(name)) return value.trim().startsWith('#');
  return !/url\s*\(\s*(?!['"]?\s*#)/i.test(value) && !value.includes('\\');
}

const options: IOptions = {
  allowedTags: tags,
  allowedAttributes: { '*': attributes },
  allowedSchemes: [],
  allowVulnerableTags: false,
  parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
  transformTags: {
    '*': (tagName, given) => ({
      tagName,
      attribs: Object.fromEntries(Object.entries(given).filter(([name, value]) => isSafe(name, value))),
    }),
  },
};

/** Each is at the start, and ends at the first possible place: no backtracking. */
const preambles = [/^\s+/, /^<\?xml[^>]{0,200}\?>/, /^<!--(?:[^-]|-(?!->))*-->/, /^<!DOCTYPE\s+svg[^>[]*>/i];

/** Nothing but an XML declaration, comments and a plain document type comes before the drawing. */
export function startsLikeSvg(text: string): boolean {
  let rest = text.replace(/^\uFEFF/, '');
  for (;;) {
    const found = preambles.map((form) => form.exec(rest)?.[0]).find((match) => match !== undefined);
    if (found === undefined) return /^<svg[\s>/]/.test(rest);
    rest = rest.slice(found.length);
  }
}

/**
 * Drops scripts, styles, animations, foreign content and every reference out of the drawing.
 * @throws DamagedFile
 */
export async function sanitizeSvg(file: string): Promise<Buffer> {
  const bytes = await readFile(file);
  if (bytes.length > MAXIMUM_BYTES) throw new DamagedFile('the drawing is larger than 5 MiB');
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const { default: sanitize } = await import('sanitize-html');
  const clean = sanitize(text, options).trim();
  if (!clean.startsWith('<svg')) throw new DamagedFile('the drawing is empty');
  return Buffer.from(clean, 'utf8');
}
