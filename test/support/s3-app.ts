import { afterAll, beforeAll, describe } from '@jest/globals';
import { startTestApp, type TestApp } from './app.js';
import { hasS3Server } from './optional-servers.js';
import { startS3Server, type S3Server } from './s3-server.js';
import { testMedia } from './test-media.js';

/** A suite that is skipped where the S3 server is missing. */
export const describeWithS3 = (title: string, suite: () => void): void =>
  (hasS3Server ? describe : describe.skip)(`${title} (needs versitygw or VERSITYGW)`, suite);

/** Starts an application for the suite that keeps its media on an S3 server of its own. */
export function useS3App(): { app(): TestApp; server(): S3Server } {
  let server: S3Server;
  let app: TestApp;
  beforeAll(async () => {
    server = await startS3Server();
    app = await startTestApp({ media: { ...testMedia(), s3: server.settings } });
  });
  afterAll(async () => {
    await app.close();
    await server.stop();
  });
  return { app: () => app, server: () => server };
}
