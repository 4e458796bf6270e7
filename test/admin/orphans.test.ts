import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDeskAs, placeOf, type Desk } from '../support/admin-desk.js';
import { hasBrowser } from '../support/optional-servers.js';
import { must } from '../support/call.js';
import { createArticleTypes, createEntry } from '../support/factories/content.js';
import { createProject, unique, type TestProject } from '../support/factories/project.js';
import { createMember, memberPassword, systemRoleId } from '../support/members.js';
import { useCountedApp, useBrowser } from '../support/browser-app.js';

const scheduledAt = new Date(Date.now() + 3_600_000);

// Install chromium or set CHROMIUM to its path.
(hasBrowser ? describe : describe.skip)(
  'What ended keys made, in a browser (needs /usr/bin/chromium or CHROMIUM)',
  () => {
    const app = useCountedApp();
    const browser = useBrowser();
    const title = `Planned ${unique()}`;
    const hook = `Hook ${unique()}`;
    let project: TestProject;
    let entryId: string;

    const call = <T = { id: string }>(
      method: 'GET' | 'POST' | 'DELETE',
      path: string,
      body?: object,
      key?: string,
    ) =>
      must<T>(app(), { method, path: project.management + path, key: key ?? project.keys.management, body });

    /** A webhook and a schedule of a key that is revoked. */
    beforeAll(async () => {
      project = await createProject(app());
      await createArticleTypes(app(), project);
      const key = await call<{ id: string; secret: string }>('POST', '/api-keys', {
        name: 'Agent',
        type: 'management',
      });
      const entry = await createEntry(app(), project, { contentTypeApiName: 'article', fields: { title } });
      entryId = entry.id;
      const webhook = { name: hook, url: 'https://hooks.example.com/', events: ['*'] };
      await call('POST', '/webhooks', webhook, key.secret);
      await call(
        'POST',
        `/entries/${entryId}/publish`,
        { scheduledAt: scheduledAt.toISOString() },
        key.secret,
      );
      await call('DELETE', `/api-keys/${key.id}`);
    });

    const openAs = async (role: string, address: string): Promise<Desk> => {
      const { email } = await createMember(app(), project, [await systemRoleId(app(), project, role)]);
      const desk = await openDeskAs(browser(), app(), { email, password: memberPassword });
      await desk.open(`${placeOf(project)}/${address}`);
      await desk.page.getByRole('heading', { level: 1 }).waitFor();
      return desk;
    };

    const day = `calendar?day=${scheduledAt.toISOString().slice(0, 10)}`;

    it('is shown as orphaned to who cannot adopt it, without a button', async () => {
      const desk = await openAs('viewer', day);
      await desk.page.getByRole('button', { name: title }).click();
      await desk.page.getByText('it will not run', { exact: false }).waitFor();
      expect(await desk.button('Adopt').count()).toBe(0);
    });

    it('a webhook is adopted in the list', async () => {
      const desk = await openAs('admin', 'webhooks');
      await desk.page.getByText('Orphaned', { exact: true }).waitFor();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('webhooks-orphaned');
      await desk.page.getByRole('link', { name: hook }).click();
      await desk.page.getByText('it receives no events', { exact: false }).waitFor();
      await desk.picture('webhook-orphaned');
      await desk.page.goBack();
      await desk.button('Adopt').click();
      await desk.page.getByText(`${hook}: adopted`, { exact: true }).waitFor();
      await desk.page.getByText('Orphaned', { exact: true }).waitFor({ state: 'detached' });
      const [webhook] = await call<{ orphaned: boolean }[]>('GET', '/webhooks');
      expect(webhook?.orphaned).toBe(false);
      expect(desk.errors).toEqual([]);
    });

    it('a notification leads to its webhook or key, and a link of the app to no other site', async () => {
      const owner = await createMember(app(), project, [await systemRoleId(app(), project, 'owner')]);
      const [webhook] = await call<{ id: string }[]>('GET', '/webhooks');
      await app().rows(
        null,
        `INSERT INTO notifications (tenant_id, id, user_id, project_id, kind, subject_id, title, actor, at, dedupe)
         SELECT $1, gen_random_uuid(), $2, $3, kind, subject, title, '{"type":"system","id":null,"name":"system"}', now(), kind
         FROM (VALUES ('webhook_disabled', $4::uuid, 'Disabled hook'), ('orphaned', NULL, 'Agent')) x (kind, subject, title)`,
        [project.tenantId, owner.id, project.projectId, webhook?.id],
      );
      const desk = await openDeskAs(browser(), app(), { email: owner.email, password: memberPassword });
      const { page } = desk;
      const follow = async (name: RegExp): Promise<void> => {
        await page.getByRole('button', { name: /^Notifications/ }).click();
        await page.getByRole('button', { name }).click();
      };
      await desk.open(`${placeOf(project)}/dashboard`);
      await follow(/“Disabled hook” was disabled/);
      await page.getByRole('heading', { level: 1, name: hook }).waitFor();
      await follow(/“Agent” has ended/);
      await page.waitForURL(/\/api-keys\?q=Agent/);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const evil = encodeURIComponent('//evil.example/x');
      for (const address of [
        `/${project.slug}?webhook=${evil}`,
        `/${project.slug}?key=${evil}`,
        `/sign-on?state=x&redirect=${evil}&page=${evil}`,
        `/forgot-password?return=${evil}`,
      ]) {
        await desk.open(address);
        await page.getByRole('main').first().waitFor();
        expect(new URL(page.url()).origin).toBe(app().baseUrl);
      }
      expect([...desk.origins]).toEqual([app().baseUrl]);
    });

    it('a schedule is adopted in the calendar', async () => {
      const desk = await openAs('admin', day);
      const item = desk.page.getByRole('button', { name: title });
      expect(await item.getAttribute('title')).toContain('orphaned');
      await desk.picture('calendar-orphaned');
      await item.click();
      expect(await desk.findings()).toEqual([]);
      await desk.picture('calendar-adopt');
      await desk.button('Adopt').click();
      await desk.page.getByText(`${title}: adopted`, { exact: true }).waitFor();
      const [job] = await call<{ orphaned: boolean }[]>('GET', `/entries/${entryId}/schedules`);
      expect(job?.orphaned).toBe(false);
    });
  },
);
