import type { Locator } from 'playwright-core';
import { waitFor } from './wait-for.js';

/** Of the DOM, whose types belong to the project of the admin app, what these functions use. */
interface Focusable {
  readonly ownerDocument: { readonly activeElement: unknown };
}

interface Nested {
  closest(selector: string): { getAttribute(name: string): string | null } | null;
}

interface TextControl {
  readonly value: string;
  readonly selectionStart: number | null;
  readonly selectionEnd: number | null;
  setSelectionRange(from: number, to: number): void;
}

export const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element: Focusable) => element === element.ownerDocument.activeElement);

/** Waits for the focus, which a closed menu or dialog gives back with a later event. */
export const focused = (target: Locator): Promise<boolean> =>
  waitFor(`the focus is on ${String(target)}`, () => isFocused(target));

export const selectCharacters = (field: Locator, from: number, to: number): Promise<void> =>
  field.evaluate((control: TextControl, range) => control.setSelectionRange(range.from, range.to), {
    from,
    to,
  });

export const selectedCharacters = (field: Locator): Promise<string> =>
  field.evaluate(({ value, selectionStart, selectionEnd }: TextControl) =>
    value.slice(selectionStart ?? 0, selectionEnd ?? 0),
  );

/** Of the element itself or the nearest one around it that `selector` finds. */
export const attributeAround = (
  target: Locator,
  selector: string,
  name: string,
): Promise<string | null | undefined> =>
  target.evaluate((element: Nested, given) => element.closest(given.selector)?.getAttribute(given.name), {
    selector,
    name,
  });

/** In its own pixels; 0 until it is loaded. */
export const pictureWidth = (picture: Locator): Promise<number> =>
  picture.evaluate((image: { readonly naturalWidth: number }) => image.naturalWidth);

/** Whether the browser lays the element out, as it does in and near the window. */
export const isLaidOut = (target: Locator): Promise<boolean> =>
  target.evaluate((element: { checkVisibility(options: object): boolean }) =>
    element.checkVisibility({ contentVisibilityAuto: true }),
  );

interface Extent {
  readonly clientHeight: number;
  readonly scrollHeight: number;
}

/** What is seen of an element, and all of it, in pixels. */
export const extentOf = (target: Locator): Promise<Extent> =>
  target.evaluate(({ clientHeight, scrollHeight }: Extent) => ({ clientHeight, scrollHeight }));

interface Style {
  readonly font: string;
  readonly paddingLeft: string;
  readonly paddingRight: string;
}

interface List {
  readonly clientWidth: number;
  readonly selectedOptions: readonly { readonly text: string }[];
  readonly ownerDocument: {
    createElement(name: 'canvas'): {
      getContext(kind: '2d'): { font: string; measureText(text: string): { readonly width: number } };
    };
    readonly defaultView: { getComputedStyle(list: List): Style };
  };
}

/** Pixels between the chosen text of a list and the end of its box; negative where the text is cut off. */
export const roomBeside = (list: Locator): Promise<number> =>
  list.evaluate((element: List) => {
    const { ownerDocument } = element;
    const { font, paddingLeft, paddingRight } = ownerDocument.defaultView.getComputedStyle(element);
    const context = ownerDocument.createElement('canvas').getContext('2d');
    context.font = font;
    const { width } = context.measureText(element.selectedOptions[0]?.text ?? '');
    return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - width;
  });
