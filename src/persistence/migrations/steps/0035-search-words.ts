import type { Migration } from './migration.js';

/** Every entry is indexed again, which fills the words. */
const indexAgain = `
    DELETE FROM search_words;
    INSERT INTO search_queue (environment_id, entry_id) SELECT DISTINCT environment_id, entry_id FROM search_documents;`;

/** Words are kept as they are written, are found with two errors, and are found by their parts. */
export const searchWords: Migration = {
  name: '0035-search-words',
  up: `${indexAgain}
    ALTER TABLE search_words ADD COLUMN written text NOT NULL;
    ALTER TABLE search_words ADD COLUMN parts integer[] NOT NULL;
    CREATE INDEX search_words_parts ON search_words USING gin (parts);
    COMMENT ON COLUMN search_words.written IS 'With accents, in small letters.';
    COMMENT ON COLUMN search_words.spellings IS 'Hashes of its beginning and of what is left of that without one or two characters.';
    COMMENT ON COLUMN search_words.parts IS 'Hashes of three characters each; of words that may be compounds.';
  `,
  down: `${indexAgain}
    ALTER TABLE search_words DROP COLUMN written, DROP COLUMN parts;
    COMMENT ON COLUMN search_words.spellings IS 'Hashes of the word and of what is left without one character.';
  `,
};
