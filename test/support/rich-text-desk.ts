import type { Locator } from 'playwright-core';
import type { Desk } from './admin-desk.js';

/** The rich text of an article. */
export const bodyOf = ({ page }: Desk): Locator => page.locator('#field-body');

export const node = (type: string, ...content: object[]) => ({ type, content });
export const paragraph = (...content: object[]) => node('paragraph', ...content);
export const text = (value: string, ...marks: object[]) => ({
  type: 'text',
  ...(marks.length > 0 && { marks }),
  text: value,
});
export const doc = (...content: object[]) => node('doc', ...content);

/** Attributes that are set. */
export const tidy = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).filter(([, one]) => one !== null))
      : part,
  );

/** Puts HTML or plain text into the text as the clipboard does. */
export async function paste({ page }: Desk, data: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    for (const [type, value] of Object.entries(${JSON.stringify(data)})) clipboardData.setData(type, value);
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.querySelector('#field-body').dispatchEvent(paste);
  })()`);
}
