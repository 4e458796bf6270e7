import type { ReadPool } from '../../../persistence/connections/read-pool.js';

/** Longer than any rendition takes. */
const SECONDS = 60;

const claim = {
  name: 'claim_rendition',
  text: `INSERT INTO rendition_claims (key, claimed_until) VALUES ($1, now() + make_interval(secs => ${String(SECONDS)}))
    ON CONFLICT (key) DO UPDATE SET claimed_until = excluded.claimed_until WHERE rendition_claims.claimed_until < now()
    RETURNING key`,
};
const release = {
  name: 'release_rendition',
  text: 'DELETE FROM rendition_claims WHERE key = $1 RETURNING key',
};

/** Decides which process makes a rendition. */
export class RenditionClaims {
  /** @param pool of the service role */
  constructor(private readonly pool: ReadPool) {}

  /** False while another process has it. */
  async claim(key: string): Promise<boolean> {
    return (await this.pool.run(claim, [key])).length === 1;
  }

  async release(key: string): Promise<void> {
    await this.pool.run(release, [key]);
  }
}
