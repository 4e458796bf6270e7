import type { Locator } from 'playwright-core';

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
