import { EmbedderFailure, type Embedder } from '../../../infrastructure/embedding/embedder.js';
import {
  addressOf,
  systemScope,
  type AddressRow,
  type UnitOfWork,
  type UnitOfWorkFactory,
} from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository, EnvironmentListRepository } from '../../environments/catalog/index.js';
import { readDocuments } from './reindex.js';
import { sampleTexts, hashOfText, meaningOf, PROBE, vectorsOfTexts } from './text-vectors.js';
import {
  VectorQueueRepository,
  type ClaimedEntry,
  VectorStateRepository,
  type VectorModel,
  scaleOf,
} from './vector-state.repository.js';
import { VectorRepository, type TextOfDocument } from './vector.repository.js';

/** Entries of one round. */
const BATCH = 8;

const platform = { scope: systemScope(), isReadOnly: false, lock: 'none' } as const;

export interface VectorIndexerParts {
  readonly units: UnitOfWorkFactory;
  readonly embedder: Embedder;
  newId(): string;
  /** Receives the first failure of the embedding server, and of an environment. */
  onError(error: unknown): void;
}

/** What one process does of an environment. */
interface Claim {
  readonly id: string;
  readonly model: VectorModel;
  readonly entries: readonly ClaimedEntry[];
  /** Of every document with text. */
  readonly texts: readonly (TextOfDocument & { readonly text: string })[];
  /** Texts without a known vector. */
  readonly unknown: readonly string[];
}

/**
 * Makes the vectors of what was indexed. No transaction is open while the embedding server works; indexing does not wait
 * for it. Any number of processes may run it.
 */
export class VectorIndexer {
  #isStopping = false;
  #isServerAway = false;
  #isChecked = false;
  /** Environments that this process started: each is started once, also if a process with another model restarts it. */
  readonly #begun = new Set<string>();

  constructor(private readonly parts: VectorIndexerParts) {}

  stop(): void {
    this.#isStopping = true;
  }

  /** Until nothing waits; returns how many entries were done. Everything waits while the server does not work. */
  async run(): Promise<number> {
    let total = 0;
    try {
      await this.#begin();
      for (let done = 1; done > 0 && !this.#isStopping; total += done) done = await this.#round();
      this.#isServerAway = false;
    } catch (error) {
      if (!(error instanceof EmbedderFailure)) throw error;
      if (!this.#isServerAway) this.parts.onError(error);
      this.#isServerAway = true;
    }
    return total;
  }

  /** Notes all entries of environments without vectors of the model. */
  async #begin(): Promise<void> {
    const { units } = this.parts;
    const model = await this.#model();
    const others = await units.run({ ...platform, isReadOnly: true }, (work) =>
      work.use(VectorStateRepository).others(model.id),
    );
    const key = (environmentId: string): string => `${environmentId} ${model.id}`;
    const wanted = others.filter(({ environmentId, isNew }) => isNew || !this.#begun.has(key(environmentId)));
    if (wanted.length === 0) return;
    const heads = await this.#heads();
    for (const { environmentId } of wanted) {
      this.#begun.add(key(environmentId));
      const head = heads.get(environmentId);
      if (head === undefined) continue;
      await this.#run(head, async (work) => {
        if (await work.use(VectorStateRepository).begin(model.id))
          await work.use(VectorQueueRepository).noteAll();
      });
    }
  }

  /** Once in a process the server is asked whether the dimensions are still the same. */
  async #model(): Promise<VectorModel> {
    const { units, embedder } = this.parts;
    const known = await units.run({ ...platform, isReadOnly: true }, (work) =>
      work.use(VectorStateRepository).model(embedder.model),
    );
    if (known !== undefined && this.#isChecked) return known;
    const [probe] = known === undefined ? [] : await embedder.embed([PROBE]);
    const model =
      probe !== undefined && probe.length === known?.centre.length ? known : await this.#measure(known);
    this.#isChecked = true;
    return model;
  }

  async #measure(former: VectorModel | undefined): Promise<VectorModel> {
    const { units, embedder, newId } = this.parts;
    const vectors = await vectorsOfTexts(embedder, sampleTexts);
    const measured = { id: newId(), model: embedder.model, ...scaleOf([...vectors.values()]) };
    return units.run(platform, async (work) => {
      const models = work.use(VectorStateRepository);
      await models.replace(measured, former);
      return (await models.model(embedder.model)) ?? measured;
    });
  }

  async #heads(): Promise<ReadonlyMap<string, AddressRow>> {
    const heads = await this.parts.units.run({ ...platform, isReadOnly: true }, (work) =>
      work.use(EnvironmentListRepository).all(),
    );
    return new Map(heads.map((head) => [head.environmentId, head]));
  }

  /** One batch of each environment with work. */
  async #round(): Promise<number> {
    const ids = await this.parts.units.run({ ...platform, isReadOnly: true }, (work) =>
      work.use(VectorQueueRepository).environments(),
    );
    if (ids.length === 0) return 0;
    const heads = await this.#heads();
    let total = 0;
    for (const id of ids) {
      const head = heads.get(id);
      if (head !== undefined) total += await this.#batch(head);
    }
    return total;
  }

  async #batch(head: AddressRow): Promise<number> {
    const { embedder, newId } = this.parts;
    const id = newId();
    const claim = await this.#run(head, (work) => this.#claim(work, id));
    if (claim === undefined) return 0;
    try {
      const vectors = await vectorsOfTexts(embedder, claim.unknown);
      const [vector = claim.model.centre] = vectors.values();
      if (vector.length !== claim.model.centre.length) {
        await this.#measure(claim.model);
        throw new EmbedderFailure('unavailable', 'other_dimensions');
      }
      return await this.#run(head, (work) => this.#write(work, claim, vectors));
    } catch (error) {
      await this.#run(head, (work) => work.use(VectorQueueRepository).postpone(id));
      throw error;
    }
  }

  async #claim(work: UnitOfWork, id: string): Promise<Claim | undefined> {
    const model = await work.use(VectorStateRepository).find();
    if (model?.model !== this.parts.embedder.model) return undefined;
    const entries = await work.use(VectorQueueRepository).claim(id, BATCH);
    if (entries.length === 0) return undefined;
    const catalog = await work.use(CatalogRepository).current();
    const documents = await readDocuments(
      work,
      catalog,
      entries.map(({ entryId }) => entryId),
    );
    const texts = documents
      .map(({ entryId, locale, stage, ...document }) => ({
        entryId,
        locale,
        stage,
        text: meaningOf(document),
      }))
      .filter(({ text }) => text !== '')
      .map((row) => ({ ...row, textHash: hashOfText(row.text) }));
    const hashes = [...new Set(texts.map(({ textHash }) => textHash))];
    const known = await work.use(VectorRepository).known(model, hashes);
    const unknown = texts.filter(({ textHash }) => !known.has(textHash)).map(({ text }) => text);
    return { id, model, entries, texts, unknown: [...new Set(unknown)] };
  }

  /** Skips entries claimed by another process, and environments that have changed to another model. */
  async #write(
    work: UnitOfWork,
    { id, model, entries, texts }: Claim,
    vectors: ReadonlyMap<string, Float32Array>,
  ): Promise<number> {
    const queue = work.use(VectorQueueRepository);
    const isOurs = await work.use(VectorStateRepository).holds(model.id);
    const held = new Set(isOurs ? await queue.held(id) : []);
    const mine = texts.filter(({ entryId }) => held.has(entryId));
    const rows = mine.map((row) => ({ ...row, vector: vectors.get(row.text) }));
    const unsent = rows.filter(({ vector }) => vector === undefined);
    const written = rows.flatMap(({ vector, ...row }) => (vector === undefined ? [] : [{ ...row, vector }]));
    const repository = work.use(VectorRepository);
    await repository.share(model, unsent);
    await repository.write(model, written);
    await repository.removeOthers(model, { entryIds: [...held], texts: mine });
    await queue.finish(
      id,
      entries.filter(({ entryId }) => held.has(entryId)),
    );
    return held.size;
  }

  #run<T>(head: AddressRow, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    const scope = systemScope({ address: addressOf(head) });
    return this.parts.units.run({ scope, isReadOnly: false, lock: 'none', plans: 'keys' }, work);
  }
}
