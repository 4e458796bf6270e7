import { expect } from '@jest/globals';
import type { Desk } from './admin-desk.js';

/** Of the dialog that is open, by its name in the list of dialogs. */
export async function expectAccessible(desk: Desk, name: string): Promise<void> {
  await desk.page.locator('dialog[open]').last().waitFor();
  expect({ name, findings: await desk.findings() }).toEqual({ name, findings: [] });
}
