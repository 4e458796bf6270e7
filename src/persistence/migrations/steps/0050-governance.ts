import { grant, tenantWall, type Migration } from './migration.js';

/**
 * The last analysis of each environment, and the issues that its detectors found. An issue is found again under the
 * same row, so that concurrent analyses cannot open it twice.
 */
export const governance: Migration = {
  name: '0050-governance',
  up: `
    CREATE TABLE governance_analyses (
      tenant_id uuid NOT NULL,
      environment_id uuid PRIMARY KEY,
      id uuid NOT NULL,
      status text NOT NULL CHECK (status IN ('running', 'completed', 'failed')),
      started_at timestamptz NOT NULL,
      stepped_at timestamptz NOT NULL,
      completed_at timestamptz,
      scans jsonb NOT NULL DEFAULT '{}',
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN governance_analyses.stepped_at IS 'Start of the last step. A running analysis whose step takes too long has died.';
    COMMENT ON COLUMN governance_analyses.scans IS 'By detector, what it has scanned up to.';
    CREATE TABLE governance_issues (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      detector text NOT NULL,
      severity text NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
      status text NOT NULL CHECK (status IN ('open', 'acknowledged', 'resolved')),
      subject_type text NOT NULL,
      subject_id uuid NOT NULL,
      subject_name text NOT NULL,
      message text NOT NULL,
      evidence jsonb NOT NULL,
      fingerprint text NOT NULL,
      count integer NOT NULL,
      first_seen_at timestamptz NOT NULL,
      last_seen_at timestamptz NOT NULL,
      resolved_at timestamptz,
      resolved_by jsonb,
      note text,
      PRIMARY KEY (environment_id, id),
      CONSTRAINT governance_issues_subject_key UNIQUE (environment_id, detector, subject_id),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN governance_issues.fingerprint IS 'Of the evidence: another one opens an acknowledged issue again.';
    CREATE INDEX governance_issues_last_seen ON governance_issues (environment_id, last_seen_at DESC, id DESC);
    CREATE INDEX governance_issues_first_seen ON governance_issues (environment_id, first_seen_at DESC, id DESC);
    CREATE INDEX governance_issues_open ON governance_issues (environment_id, detector, severity) WHERE status = 'open';
    CREATE INDEX governance_issues_subjects ON governance_issues (environment_id, subject_id);
    CREATE INDEX workflow_history_time ON workflow_history (environment_id, at);
    ${tenantWall('governance_analyses', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('governance_issues')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'governance_analyses, governance_issues')}
  `,
  down: `
    DROP INDEX workflow_history_time;
    DROP TABLE governance_issues, governance_analyses;
  `,
};
