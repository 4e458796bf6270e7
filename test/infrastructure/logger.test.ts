import { describe, expect, it } from '@jest/globals';
import { createLogger, readableDestination } from '../../src/infrastructure/logger.js';

describe('the log', () => {
  it('logs no credential', () => {
    const lines: string[] = [];
    const log = createLogger('info', { write: (line: string) => void lines.push(line) });
    const credential = 'hunter2-hunter2';
    log.info({ password: credential, body: { token: credential, secret: credential, name: 'Ada' } }, 'login');
    log.info(
      { req: { headers: { authorization: credential, cookie: credential, accept: '*/*' } } },
      'request',
    );
    log.info(
      { res: { headers: { 'set-cookie': credential } }, headers: { Authorization: credential } },
      'answer',
    );
    const text = lines.join('');
    expect(text).not.toContain(credential);
    expect(text).toContain('Ada');
    expect(text).toContain('*/*');
  });

  it("logs an error's message and stack, but not the statement and values of a driver", () => {
    const lines: string[] = [];
    const log = createLogger('info', { write: (line: string) => void lines.push(line) });
    const cause = Object.assign(new Error('no relation'), {
      sql: 'SELECT canary',
      parameters: ['canary'],
      code: '42P01',
    });
    log.error({ err: new Error('outer hwm_0123456789abcdef', { cause }) }, 'failed');
    expect(JSON.parse(lines.join(''))).toMatchObject({
      err: {
        type: 'Error',
        message: 'outer [redacted]',
        stack: expect.stringContaining('logger.test'),
        cause: { type: 'Error', message: 'no relation', code: '42P01' },
      },
    });
    expect(lines.join('')).not.toMatch(/canary|hwm_0/);
  });

  it('prints readable lines on a terminal', () => {
    const shown: string[] = [];
    const log = createLogger('info', readableDestination({ write: (text: string) => shown.push(text) }));
    log.warn({ status: 503, route: '/a' }, 'request');
    log.error({ err: new Error('gone') }, 'failed');
    expect(shown[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} warn request status=503 route=\/a\n$/);
    expect(shown[1]).toMatch(/ error failed\nError: gone\n +at /);
  });

  it('logs nothing below the configured level', () => {
    const lines: string[] = [];
    const log = createLogger('warn', { write: (line: string) => void lines.push(line) });
    log.info('quiet');
    log.warn('loud');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['loud']);
  });
});
