import type { Response } from 'supertest';
import type { Desk } from '../support/desk.js';
import { branch } from '../support/factories/branch.js';
import { createEntry, type TestEntry } from '../support/factories/content.js';
import { idsIn } from '../support/factories/landing-blocks.js';
import { createFolder, createPage } from '../support/factories/tree.js';
import { change, now } from '../management/entries/history.js';
import { moveTo } from '../management/workflows/definitions.js';

interface Page {
  readonly id: string;
  readonly nodeId: string;
  readonly slug: string;
  readonly path: string;
}

export const ok = (response: Response): Response => {
  if (response.status >= 300) throw new Error(`${String(response.status)} ${response.text}`);
  return response;
};

/** Under the root; approved, and live in `en`. */
async function approvedPage(desk: Desk, slug: string): Promise<Page> {
  const { id, treeNodeId } = await createPage(desk.app, desk.project, { slug });
  ok(await change(desk, id, { fields: { title: `Approved ${slug}` } }));
  ok(await change(desk, id, { locale: 'de', slug: `${slug}-de`, fields: { title: `Deutsch ${slug}` } }));
  ok(await moveTo(desk, id, 'review'));
  ok(await moveTo(desk, id, 'approved'));
  ok(await desk.post(`/entries/${id}/publish`, { locale: 'en' }));
  return { id, nodeId: treeNodeId, slug, path: `/${slug}` };
}

/** A page that is approved and live in `en`, with a German draft; its first version has another title. */
export class ApprovedPage {
  branched = '';
  promotionId = '';
  blockId = '';
  folderId = '';
  releaseId = '';

  private constructor(
    /** Has every right. */
    readonly desk: Desk,
    public page: Page,
    /** Another live page. */
    readonly other: Page,
  ) {}

  static async open(desk: Desk, slug: string): Promise<ApprovedPage> {
    return new ApprovedPage(desk, await approvedPage(desk, slug), await approvedPage(desk, `other-${slug}`));
  }

  /** A release that publishes the page. */
  async release(): Promise<void> {
    const made = ok(await this.desk.post('/releases', { name: `Release ${this.page.slug}` }));
    const { id } = made.body.data as { id: string };
    const item = { kind: 'entry', entryId: this.page.id, locale: 'en', action: 'publish' };
    ok(await this.desk.post(`/releases/${id}/items`, { items: [item] }));
    this.releaseId = id;
  }

  get title(): string {
    return `Approved ${this.page.slug}`;
  }

  async version(): Promise<number> {
    return (await now(this.desk, this.page.id)).version;
  }

  async state(): Promise<string | undefined> {
    return (await now(this.desk, this.page.id)).workflow?.state;
  }

  /** What visitors get at the path of the page: a title, the target of a redirect, or an error. */
  async served(): Promise<string> {
    const { app, project } = this.desk;
    const { body } = await app.request
      .get(`${project.delivery}/routes?path=${this.page.path}`)
      .set('Authorization', `Bearer ${project.keys.delivery}`);
    return String(body.data?.entry?.fields.title ?? body.data?.target ?? body.error);
  }

  promote(by: Desk, rest: object = {}): Promise<Response> {
    return by.post(`/environments/${this.branched}/promote`, {
      mode: 'cherryPick',
      includeDependencies: false,
      items: [{ kind: 'entry', id: this.page.id }],
      ...rest,
    });
  }

  async changeInBranch(): Promise<void> {
    this.branched = await branch(this.desk);
    ok(await change(this.desk.in(this.branched), this.page.id, { fields: { title: 'From the branch' } }));
  }

  /** Takes the text of the branch as the draft in main, which is in the initial state again. */
  async takePromotion(): Promise<void> {
    await this.changeInBranch();
    const promoted = ok(await this.promote(this.desk)).body as { data: { promotionId: string } };
    this.promotionId = promoted.data.promotionId;
  }

  /** Approved and live with a block, or a link to a shared one. */
  async addSection({ isShared }: { readonly isShared: boolean }): Promise<void> {
    const { desk, page } = this;
    const fields = { heading: 'Section' };
    const shared = isShared
      ? await createEntry(desk.app, desk.project, { contentTypeApiName: 'section', fields })
      : undefined;
    if (shared !== undefined) ok(await desk.post(`/entries/${shared.id}/publish`, {}));
    const item = shared === undefined ? { _type: 'section', fields } : { _ref: shared.id };
    const changed = ok(await change(desk, page.id, { fields: { sections: [item] } }));
    [this.blockId = ''] = idsIn((changed.body as { data: TestEntry }).data);
    ok(await moveTo(desk, page.id, 'review'));
    ok(await moveTo(desk, page.id, 'approved'));
    ok(await desk.post(`/entries/${page.id}/publish`, {}));
  }

  async moveIntoFolder(): Promise<void> {
    const { desk, page } = this;
    const folder = await createFolder(desk.app, desk.project, { slug: `folder-${page.slug}` });
    ok(await desk.post(`/tree/nodes/${page.nodeId}/move`, { parentId: folder.id }));
    this.folderId = folder.id;
    this.page = { ...page, path: `/folder-${page.slug}/${page.slug}` };
  }
}
