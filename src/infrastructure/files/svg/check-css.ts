import postcss, { type ChildNode, type Declaration, type Rule } from 'postcss';
import { ComplexFile } from '../complex-file.js';

/** Of one drawing (rule media/received-files). */
export const svgLimits = {
  bytes: 5 * 1024 * 1024,
  elements: 20_000,
  depth: 100,
  /** Of one element. */
  attributes: 200,
  /** Elements that are drawn, each use of a group counting as its elements. */
  references: 100_000,
  /** A reference to an element that has references, and so on. */
  hops: 100,
  styleBytes: 256 * 1024,
  styleRules: 2000,
  images: 100,
  /** Of all embedded pictures. */
  pixels: 50_000_000,
} as const;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

export const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
export const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink';

export const allowedElements = words(
  'svg g defs symbol use switch title desc path rect circle ellipse line polyline polygon text tspan textPath ' +
    'image linearGradient radialGradient stop clipPath mask pattern marker filter feBlend feColorMatrix ' +
    'feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight ' +
    'feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology ' +
    'feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence style',
);

/** Their content stays, they do not. */
export const unwrappedElements = words('a');

/** Properties that are attributes as well. */
const presentation =
  'color display visibility overflow opacity fill fill-opacity fill-rule stroke stroke-width stroke-opacity ' +
  'stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset clip-path clip-rule mask ' +
  'mask-type filter stop-color stop-opacity marker-start marker-mid marker-end font-family font-size font-style ' +
  'font-weight font-stretch font-variant font-size-adjust letter-spacing word-spacing text-anchor ' +
  'dominant-baseline alignment-baseline baseline-shift text-decoration writing-mode direction unicode-bidi ' +
  'flood-color flood-opacity lighting-color vector-effect shape-rendering text-rendering image-rendering ' +
  'color-interpolation color-interpolation-filters color-rendering paint-order enable-background transform';

export const allowedAttributes = words(
  `${presentation} id class lang xml:lang xml:space role version viewBox width height x y x1 x2 y1 y2 cx cy r rx ry ` +
    'fx fy fr d points pathLength href xlink:href offset gradientUnits gradientTransform spreadMethod patternUnits ' +
    'patternContentUnits patternTransform clipPathUnits maskUnits maskContentUnits markerUnits markerWidth ' +
    'markerHeight refX refY orient preserveAspectRatio dx dy rotate textLength lengthAdjust startOffset in in2 ' +
    'result stdDeviation values type mode operator k1 k2 k3 k4 scale xChannelSelector yChannelSelector ' +
    'tableValues slope intercept amplitude exponent surfaceScale diffuseConstant specularConstant ' +
    'specularExponent azimuth elevation pointsAtX pointsAtY pointsAtZ limitingConeAngle baseFrequency numOctaves ' +
    'seed stitchTiles order kernelMatrix kernelUnitLength divisor bias targetX targetY edgeMode preserveAlpha ' +
    'radius filterUnits primitiveUnits systemLanguage requiredFeatures requiredExtensions media',
);

/** Attributes that nothing reads as CSS. */
export const isPlainAttribute = (name: string): boolean =>
  /^(?:aria|data)-[a-z][\w-]*$/.test(name) || ['id', 'class', 'role', 'lang', 'xml:lang'].includes(name);

const allowedProperties = words(
  `${presentation} font line-height text-align text-indent white-space marker isolation mix-blend-mode ` +
    'transform-origin transform-box x y cx cy r rx ry d width height text-transform font-feature-settings ' +
    'font-kerning font-variant-ligatures font-variant-position font-variant-caps font-variant-numeric ' +
    'font-variant-alternates font-variant-east-asian font-variation-settings shape-inside shape-padding ' +
    'shape-margin inline-size text-decoration-line text-decoration-style text-decoration-color text-orientation ' +
    'solid-color solid-opacity clip',
);

const allowedFunctions = words(
  'rgb rgba hsl hsla calc min max clamp matrix translate translatex translatey scale scalex scaley rotate skew ' +
    'skewx skewy rect blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia ' +
    'circle ellipse inset polygon path color oklch oklab lab lch',
);

/** Of editors; nothing draws them. */
export const isEditorName = (name: string): boolean =>
  name === 'metadata' ||
  (name.includes(':') && !name.startsWith('xlink:')) ||
  /^(?:-inkscape|-webkit|-moz|-ms|-o)-/.test(name);

type PartKind = 'element' | 'attribute' | 'style' | 'reference' | 'image';

/** Names that warnings list. */
const MAXIMUM_NAMES = 30;
const LONGEST_NAME = 60;

/** Collects what is removed from a drawing. */
export class RemovedParts {
  readonly #counts = new Map<string, number>();
  #unnamed = 0;

  add(kind: PartKind, name: string): void {
    const part = `${kind} ${name.slice(0, LONGEST_NAME).toWellFormed()}`;
    const known = this.#counts.get(part);
    if (known === undefined && this.#counts.size >= MAXIMUM_NAMES) this.#unnamed += 1;
    else this.#counts.set(part, (known ?? 0) + 1);
  }

  /** In the order of the drawing: `element script (2)`. */
  list(): string[] {
    const named = [...this.#counts].map(([part, count]) =>
      count === 1 ? part : `${part} (${String(count)})`,
    );
    return this.#unnamed === 0 ? named : [...named, `${String(this.#unnamed)} more`];
  }
}

/** Types, classes, ids and combinators: no pseudo-class, no attribute, no escape. */
const SELECTOR = /^[\w\s.#,>*+~-]+$/;
const MEDIA = /^[\w\s():,.-]+$/;
/** Escapes, markup and everything that ends a declaration. */
const UNSAFE = /[\\<>@{};]/;
const FRAGMENT = /url\(\s*(['"]?)#[\w.:-]+\1\s*\)/gi;
const LONGEST_FUNCTION = 40;

/** The name before the parenthesis at `end`; a longer one is cut, so that it is no allowed one. */
const functionBefore = (value: string, end: number): string =>
  /[\w-]*\s*$/
    .exec(value.slice(Math.max(0, end - LONGEST_FUNCTION), end))?.[0]
    .trim()
    .toLowerCase() ?? '';

/** A value of CSS without functions that load or run something; references are within the drawing. */
export function isSafeValue(value: string): boolean {
  if (UNSAFE.test(value)) return false;
  const rest = value.replace(FRAGMENT, '');
  for (let at = rest.indexOf('('); at !== -1; at = rest.indexOf('(', at + 1)) {
    const name = functionBefore(rest, at);
    if (name !== '' && !allowedFunctions.has(name)) return false;
  }
  return true;
}

/** Checks the style sheets and style attributes of one drawing. */
export class CssCheck {
  #rules = 0;
  #bytes = 0;

  constructor(private readonly removed: RemovedParts) {}

  /** Of a `style` attribute; undefined if nothing is left. @throws ComplexFile */
  declarations(css: string): string | undefined {
    return this.#declarations(this.#parse(css)) || undefined;
  }

  /** Of a `style` element. @throws ComplexFile */
  sheet(css: string): string {
    return this.#blocks(this.#parse(css), true);
  }

  #parse(css: string): ChildNode[] {
    this.#bytes += css.length;
    if (this.#bytes > svgLimits.bytes || css.length > svgLimits.styleBytes)
      throw new ComplexFile('styleRules', svgLimits.styleRules);
    this.#rules += css.split('{').length - 1;
    if (this.#rules > svgLimits.styleRules) throw new ComplexFile('styleRules', svgLimits.styleRules);
    try {
      return postcss.parse(css).nodes;
    } catch {
      this.removed.add('style', 'that cannot be read');
      return [];
    }
  }

  #blocks(nodes: readonly ChildNode[], isTop: boolean): string {
    return nodes
      .map((node) => {
        if (node.type === 'comment') return '';
        if (node.type === 'rule') return this.#rule(node);
        const isMedia = node.type === 'atrule' && node.name.toLowerCase() === 'media';
        if (isMedia && isTop && MEDIA.test(node.params))
          return `@media ${node.params}{${this.#blocks(node.nodes ?? [], false)}}`;
        this.removed.add('style', node.type === 'atrule' ? `@${node.name}` : node.prop);
        return '';
      })
      .join('');
  }

  #rule({ selector, nodes }: Rule): string {
    if (SELECTOR.test(selector)) return `${selector}{${this.#declarations(nodes)}}`;
    this.removed.add('style', `rule ${selector}`);
    return '';
  }

  #declarations(nodes: readonly ChildNode[]): string {
    return nodes
      .filter((node) => node.type !== 'comment')
      .flatMap((node) => {
        if (node.type === 'decl' && this.#isAllowed(node))
          return [`${node.prop}:${node.value}${node.important ? '!important' : ''}`];
        if (node.type !== 'decl') this.removed.add('style', 'nested rule');
        return [];
      })
      .join(';');
  }

  #isAllowed({ prop, value }: Declaration): boolean {
    const name = prop.toLowerCase();
    if (isEditorName(name)) return false;
    if (allowedProperties.has(name) && isSafeValue(value)) return true;
    this.removed.add('style', name);
    return false;
  }
}
