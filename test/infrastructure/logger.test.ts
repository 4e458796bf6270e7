import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/infrastructure/logger.js';

describe('the log', () => {
  it('holds no credential', () => {
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

  it('writes nothing below its level', () => {
    const lines: string[] = [];
    const log = createLogger('warn', { write: (line: string) => void lines.push(line) });
    log.info('quiet');
    log.warn('loud');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['loud']);
  });
});
