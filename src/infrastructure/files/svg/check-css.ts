import postcss, { type ChildNode, type Declaration, type Rule } from 'postcss';
import { ComplexFile } from '../complex-file.js';
import { allowedFunctions, allowedProperties, isEditorName } from './allowed-names.js';
import type { RemovedParts } from './removed-parts.js';
import { svgLimits } from './svg-limits.js';

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
