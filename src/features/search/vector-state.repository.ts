import { Repository } from '../../persistence/repositories/repository.js';
import { bytesOf, vectorOf, type VectorScale } from './vector-values.js';

/** A model with the scale of the coarse form of its vectors. */
export interface VectorModel extends VectorScale {
  readonly id: string;
  readonly model: string;
}

interface ModelRow {
  readonly id: string;
  readonly model: string;
  readonly centre: Buffer;
  readonly spread: number;
}

const COLUMNS = 'm.id, m.model, m.centre, m.spread';

const modelOf = (row: ModelRow | undefined): VectorModel | undefined =>
  row && { ...row, centre: vectorOf(row.centre) };

/** Models, and which of them made the vectors of an environment. Rows are in no wall. */
export class VectorStateRepository extends Repository {
  async model(name: string): Promise<VectorModel | undefined> {
    const [row] = await this.query<ModelRow>(
      `SELECT ${COLUMNS} FROM search_vector_models m WHERE m.model = $1`,
      [name],
    );
    return modelOf(row);
  }

  /** Replaces a model of the same name only if it is `former`: others may have done so. */
  async replace({ id, model, centre, spread }: VectorModel, former: VectorModel | undefined): Promise<void> {
    await this.query(
      `INSERT INTO search_vector_models AS m (id, model, centre, spread) VALUES ($1, $2, $3, $4)
       ON CONFLICT (model) DO UPDATE SET id = excluded.id, centre = excluded.centre, spread = excluded.spread
         WHERE m.id = $5`,
      [id, model, bytesOf(centre), spread, former?.id ?? null],
    );
  }

  /** Environments without vectors, and those whose vectors another model made. */
  async others(modelId: string): Promise<{ environmentId: string; isNew: boolean }[]> {
    return this.query(
      `SELECT h.environment_id AS "environmentId", s.environment_id IS NULL AS "isNew" FROM environment_heads h
         LEFT JOIN search_vector_states s ON s.environment_id = h.environment_id
       WHERE s.environment_id IS NULL OR s.model_id <> $1`,
      [modelId],
    );
  }

  /** The model of the environment. */
  async find(): Promise<VectorModel | undefined> {
    const [row] = await this.query<ModelRow>(
      `SELECT ${COLUMNS} FROM search_vector_states s JOIN search_vector_models m ON m.id = s.model_id
       WHERE s.environment_id = $1`,
      [this.environmentId],
    );
    return modelOf(row);
  }

  /** Whether it is the model of the environment, and stays so until the transaction ends. */
  async holds(modelId: string): Promise<boolean> {
    const rows = await this.query(
      'SELECT 1 FROM search_vector_states WHERE environment_id = $1 AND model_id = $2 FOR UPDATE',
      [this.environmentId, modelId],
    );
    return rows.length > 0;
  }

  /** From now on vectors of other models do not count; false if they did not before. */
  async begin(modelId: string): Promise<boolean> {
    const rows = await this.query(
      `INSERT INTO search_vector_states AS s (environment_id, model_id) VALUES ($1, $2)
       ON CONFLICT (environment_id) DO UPDATE SET model_id = excluded.model_id WHERE s.model_id <> excluded.model_id
       RETURNING 1`,
      [this.environmentId, modelId],
    );
    return rows.length > 0;
  }
}
