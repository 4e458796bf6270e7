import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDesk, openDeskAs, settle, type Desk } from '../support/admin-desk.js';
import { useBrowser, useCountedApp } from '../support/browser-app.js';
import { must } from '../support/call.js';
import { createAdmin, createProject, superAdmin, type TestProject } from '../support/factories/project.js';
import { reach } from '../support/keyboard.js';
import { createMember, memberPassword, systemRoleId } from '../support/members.js';
import { exchange, newClient, newVerifier, requestOf } from '../support/oauth-client.js';
import { hasBrowser } from '../support/optional-servers.js';

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)('Consent to an OAuth client (needs Chromium)', () => {
  const app = useCountedApp();
  const browser = useBrowser();
  let project: TestProject;
  let siteId: string;
  let host: Server;
  let callback: string;
  let login: { email: string; password: string };
  const returned: URL[] = [];

  beforeAll(async () => {
    project = await createProject(app());
    const site = { name: 'Second site', slug: 'second', defaultLocale: 'en' };
    const path = `${project.management}/sites`;
    const key = await superAdmin(app());
    siteId = (await must(app(), { method: 'POST', path, key, body: site })).id;
    const role = await systemRoleId(app(), project, 'editor');
    const { email } = await createMember(app(), project, [role], 'Ada Lovelace');
    login = { email, password: memberPassword };
    host = createServer(({ url = '' }, response) => {
      if (url.startsWith('/callback')) returned.push(new URL(url, callback));
      response.end('Back in the host');
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    callback = `http://127.0.0.1:${String((host.address() as AddressInfo).port)}/callback`;
  });
  afterAll(() => {
    host.closeAllConnections();
    return new Promise((resolve) => host.close(resolve));
  });

  async function ask(client_name: string, resource?: string) {
    const client = await newClient(app(), { client_name, redirect_uris: [callback] });
    const { verifier, challenge } = newVerifier();
    const query = { redirect_uri: callback, code_challenge: challenge, resource };
    return { client, verifier, address: `/oauth?requestId=${await requestOf(app(), client, query)}` };
  }

  const isBack = ({ page }: Desk): Promise<void> => page.getByText('Back in the host').waitFor();

  it('a user logs in, chooses limits by keyboard alone, and the host receives a key with them', async () => {
    const { client, verifier, address } = await ask(
      '\u202EDesk <b>host</b>',
      `${app().baseUrl}/api/mcp/${project.slug}`,
    );
    const desk = await openDesk(browser(), app());
    const { page } = desk;
    await desk.open(address);
    await desk.logIn(login);
    await page.getByRole('heading', { name: 'Connect an app' }).waitFor();
    await page.getByText('Desk <b>host</b>').first().waitFor();
    await page.getByText(new URL(callback).host).waitFor();
    await page.getByText('You are logged in as Ada Lovelace.').waitFor();
    await page.getByRole('group', { name: 'Sites in which it may change something' }).waitFor();
    await settle(page);
    expect(await desk.findings()).toEqual([]);
    await desk.picture('oauth-consent');
    await reach(page, page.getByRole('checkbox', { name: 'Files', exact: true }));
    await page.keyboard.press('Space');
    await reach(page, page.getByRole('checkbox', { name: 'Second site', exact: true }));
    await page.keyboard.press('Space');
    await reach(page, page.getByRole('combobox', { name: 'The access ends after' }));
    await page.keyboard.press('7');
    await reach(page, desk.button('Connect'));
    await page.keyboard.press('Enter');
    await isBack(desk);
    expect(desk.errors).toEqual([]);
    const code = returned.pop()?.searchParams.get('code') ?? '';
    const given = { client_id: client.client_id, redirect_uri: callback, code, code_verifier: verifier };
    expect((await exchange(app(), given)).status).toBe(200);
    const [key] = await app().rows<object>(
      project.tenantId,
      `SELECT name, toolsets, site_ids AS "siteIds", draft_only AS "draftOnly",
         round(extract(epoch FROM expires_at - created_at) / 86400)::int AS days FROM api_keys WHERE oauth_client_id = $1`,
      [client.client_id],
    );
    expect(key).toEqual({
      name: 'Desk <b>host</b>',
      toolsets: ['media'],
      siteIds: [siteId],
      draftOnly: true,
      days: 7,
    });
  });

  it('a user refuses, in German, and the answered request says so', async () => {
    const { address } = await ask('Agent host');
    const desk = await openDeskAs(browser(), app(), login);
    const { page } = desk;
    await desk.open(address);
    await page.getByRole('heading', { name: 'Connect an app' }).waitFor();
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.getByRole('heading', { name: 'App verbinden' }).waitFor();
    await page.getByText('Nur Entwürfe: Veröffentlichtes bleibt, wie es ist').waitFor();
    await settle(page);
    expect(await desk.findings()).toEqual([]);
    await desk.picture('oauth-consent-de');
    await desk.button('Ablehnen').click();
    await isBack(desk);
    expect(returned.pop()?.searchParams.get('error')).toBe('access_denied');
    await desk.open(address);
    await page.getByText('Diese Anfrage ist abgelaufen oder wurde schon beantwortet.').waitFor();
    expect(await desk.findings()).toEqual([]);
    expect(desk.errors).toEqual([]);
  });

  it('a user of another organization is offered no project', async () => {
    const { address } = await ask('Agent host', `${app().baseUrl}/api/mcp/${project.slug}`);
    const other = await createProject(app());
    const role = await systemRoleId(app(), other, 'owner');
    const { email } = await createMember(app(), other, [role]);
    const desk = await openDeskAs(browser(), app(), { email, password: memberPassword });
    await desk.open(address);
    await desk.page.getByText('You may enter no project that the app could work in.').waitFor();
    expect(await desk.button('Connect').count()).toBe(0);
    expect(await desk.findings()).toEqual([]);
  });

  it('a super-admin chooses among all projects', async () => {
    const { address } = await ask('Agent host');
    const desk = await openDeskAs(browser(), app(), await createAdmin(app()));
    await desk.open(address);
    const projects = desk.page.getByRole('combobox', { name: 'Project' });
    await projects.selectOption(project.slug);
    await desk.page.getByRole('checkbox', { name: 'Second site', exact: true }).waitFor();
    await desk.button('Connect').click();
    await isBack(desk);
    expect(returned.pop()?.searchParams.get('code')).toMatch(/^hwc_/);
  });
});
