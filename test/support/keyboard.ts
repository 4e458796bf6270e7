import type { Locator, Page } from 'playwright-core';
import { isFocused } from './element-state.js';

const STEPS = 200;

/** Moves the focus with a key, as users without a mouse do. @throws Error if it is not reached */
export async function reach(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let step = 0; step < STEPS; step += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`The focus does not reach ${String(target)}.`);
}
