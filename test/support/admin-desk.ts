import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { TestApp } from './app.js';
import { must } from './call.js';
import type { TestProject } from './factories/project.js';

/** Folder for screenshots; none are taken when unset. */
const pictures = process.env.SCREENSHOTS;

interface Login {
  readonly email: string;
  readonly password: string;
}

/** One window of the admin app, with what went wrong in it. */
export interface Desk {
  readonly page: Page;
  readonly errors: string[];
  readonly origins: Set<string>;
  /** Opens an address below `/admin`. */
  open(address: string): Promise<void>;
  /** In the form that is shown. */
  logIn(login: Login): Promise<void>;
  button(name: string): Locator;
  /** Serious and critical findings of axe, in light and in dark. */
  findings(): Promise<string[]>;
  /** In light and dark, wide and narrow. */
  picture(name: string): Promise<void>;
}

interface Violation {
  readonly id: string;
  readonly impact?: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

const grave = new Set(['serious', 'critical']);

const require = createRequire(import.meta.url);
let source: Promise<string> | undefined;

/** The minified text, which every document gets: less than half of the other. */
function axeSource(): Promise<string> {
  source ??= readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
  return source;
}

async function check(page: Page): Promise<string[]> {
  // Runs beside the page, whose content security policy lets no other script in.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(await axeSource());
  const violations: Violation[] = await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  return violations
    .filter(({ impact }) => grave.has(impact ?? ''))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

const themes = ['light', 'dark'] as const;

async function takePictures(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  for (const colorScheme of themes)
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: path.join(pictures, `${name}-${colorScheme}-${String(width)}.png`) });
    }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Until nothing is loading any more. The event stream, which never ends, must not be opened. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.locator('.spinner').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready');
}

/** Opens the app in a separate browser context, with its own session. */
export async function openDesk(browser: Browser, app: TestApp): Promise<Desk> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' });
  const page = await context.newPage();
  const errors: string[] = [];
  const origins = new Set<string>();
  // What the service refuses is shown in the app; the browser also writes it to its console.
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text().slice(0, 300));
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => {
    if (request.url().startsWith('http')) origins.add(new URL(request.url()).origin);
  });
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  return {
    page,
    errors,
    origins,
    button,
    open: async (address) => {
      await page.goto(`${app.baseUrl}/admin${address}`);
    },
    logIn: async ({ email, password }) => {
      await page.getByRole('textbox', { name: /^Email address( required)?$/ }).fill(email);
      await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
      await button('Log in').click();
    },
    findings: async () => {
      const found: string[] = [];
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme });
        found.push(...(await check(page)).map((finding) => `${colorScheme} ${finding}`));
      }
      await page.emulateMedia({ colorScheme: 'light' });
      return found;
    },
    picture: (name) => takePictures(page, name),
  };
}

/** As {@link openDesk}, with the session of a user. */
export async function openDeskAs(browser: Browser, app: TestApp, login: Login): Promise<Desk> {
  const desk = await openDesk(browser, app);
  const session = await must<{ expiresIn: number }>(app, {
    method: 'POST',
    path: '/api/v1/auth/login',
    body: login,
  });
  const stored = JSON.stringify({ ...session, expiresAt: Date.now() + session.expiresIn * 1000 });
  await desk.page.context().addInitScript(`localStorage['headwater.session'] ??= ${JSON.stringify(stored)}`);
  return desk;
}

/** Ends the session of a window as another window would. */
export async function endSession({ page }: Desk, app: TestApp): Promise<void> {
  const text = String(await page.evaluate("localStorage['headwater.session']"));
  const { refreshToken } = JSON.parse(text) as { refreshToken: string };
  await must(app, { method: 'POST', path: '/api/v1/auth/logout', body: { refreshToken } });
}

/** `/{project}/main`, the address of a project in the app. */
export const placeOf = ({ slug }: TestProject): string => `/${slug}/main`;
