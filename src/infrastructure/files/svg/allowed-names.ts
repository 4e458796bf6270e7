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

export const allowedProperties = words(
  `${presentation} font line-height text-align text-indent white-space marker isolation mix-blend-mode ` +
    'transform-origin transform-box x y cx cy r rx ry d width height text-transform font-feature-settings ' +
    'font-kerning font-variant-ligatures font-variant-position font-variant-caps font-variant-numeric ' +
    'font-variant-alternates font-variant-east-asian font-variation-settings shape-inside shape-padding ' +
    'shape-margin inline-size text-decoration-line text-decoration-style text-decoration-color text-orientation ' +
    'solid-color solid-opacity clip',
);

export const allowedFunctions = words(
  'rgb rgba hsl hsla calc min max clamp matrix translate translatex translatey scale scalex scaley rotate skew ' +
    'skewx skewy rect blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia ' +
    'circle ellipse inset polygon path color oklch oklab lab lch',
);

/** Of editors; nothing draws them. */
export const isEditorName = (name: string): boolean =>
  name === 'metadata' ||
  (name.includes(':') && !name.startsWith('xlink:')) ||
  /^(?:-inkscape|-webkit|-moz|-ms|-o)-/.test(name);
