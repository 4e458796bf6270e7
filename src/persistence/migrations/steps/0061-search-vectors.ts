import { grant, type Migration } from './migration.js';

/**
 * Vectors of texts, for search by meaning. Without an extension, PostgreSQL compares a coarse form of them, under the
 * same conditions as any search; the vectors themselves are read for few documents only, so that they are stored apart.
 * A vector is removed with its document of the index.
 */
export const searchVectors: Migration = {
  name: '0061-search-vectors',
  up: `
    CREATE TABLE search_vector_models (
      model text PRIMARY KEY,
      id uuid NOT NULL UNIQUE,
      centre bytea NOT NULL,
      spread double precision NOT NULL
    );
    COMMENT ON COLUMN search_vector_models.id IS 'Another one if the model has other dimensions.';
    COMMENT ON COLUMN search_vector_models.centre IS 'Of its vectors of some texts. The coarse form is relative to it.';

    CREATE TABLE search_vector_states (
      environment_id uuid PRIMARY KEY REFERENCES environment_heads (environment_id) ON DELETE CASCADE,
      model_id uuid NOT NULL
    );

    CREATE TABLE search_vectors (
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      stage text COLLATE "C" NOT NULL,
      model_id uuid NOT NULL,
      text_hash text COLLATE "C" NOT NULL,
      coarse bit varying NOT NULL,
      vector bytea NOT NULL,
      PRIMARY KEY (environment_id, entry_id, locale, stage),
      FOREIGN KEY (environment_id, entry_id, locale, stage)
        REFERENCES search_documents (environment_id, entry_id, locale, stage) ON DELETE CASCADE
    ) WITH (toast_tuple_target = 128);
    ALTER TABLE search_vectors ALTER COLUMN vector SET STORAGE EXTERNAL, ALTER COLUMN coarse SET STORAGE PLAIN;
    COMMENT ON COLUMN search_vectors.vector IS 'Of length 1: 32-bit floating-point numbers, the low byte first.';
    CREATE INDEX search_vectors_text ON search_vectors (text_hash);

    CREATE SEQUENCE search_vector_queue_id;
    CREATE TABLE search_vector_queue (
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      id bigint NOT NULL DEFAULT nextval('search_vector_queue_id'),
      claim uuid,
      claimed_until timestamptz,
      PRIMARY KEY (environment_id, entry_id)
    );
    COMMENT ON TABLE search_vector_queue IS 'Entries whose texts may need other vectors. A claim that has ended may be taken over.';
    CREATE INDEX search_vector_queue_order ON search_vector_queue (id);

    ${grant('SELECT, INSERT, UPDATE, DELETE', 'search_vector_models, search_vector_states, search_vectors, search_vector_queue')}
    ${grant('USAGE', 'SEQUENCE search_vector_queue_id')}
  `,
  down: `
    DROP TABLE search_vector_queue, search_vectors, search_vector_states, search_vector_models;
    DROP SEQUENCE search_vector_queue_id;
  `,
};
