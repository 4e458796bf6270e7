import { invalidInput } from '../../../../contracts/errors.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { nodeColumns, type MovedNode, type StoredNode } from './stored-node.js';
import { TreeNodeRepository } from './tree-node.repository.js';

/** Last by default. */
export interface SiblingPosition {
  readonly position?: number | undefined;
  readonly beforeId?: string | undefined;
  readonly afterId?: string | undefined;
}

/** Children of a node, or roots of a tree. */
export interface SiblingGroup {
  readonly siteId: string | null;
  readonly parentId: string | null;
}

/** Neighboring ranks; null at an end. */
interface Gap {
  readonly low: bigint | null;
  readonly high: bigint | null;
}

/** A gap takes 32 insertions before ranks are respaced. */
const STEP = 2n ** 32n;
const GLOBAL_ROOTS = '00000000-0000-0000-0000-000000000000';

const keyOf = ({ siteId, parentId }: SiblingGroup): string => parentId ?? siteId ?? GLOBAL_ROOTS;

function rankIn({ low, high }: Gap): bigint | undefined {
  if (low === null) return high === null ? 0n : high - STEP;
  if (high === null) return low + STEP;
  const middle = low + (high - low) / 2n;
  return middle > low ? middle : undefined;
}

/** Sparse ranks, so that a move writes one row. */
export class TreeOrderRepository extends Repository {
  /**
   * @param movingId the node, if it is already in the tree
   * @throws AppError 404 `tree_node_not_found`, 422 for a neighbor with another parent
   */
  async rankFor(group: SiblingGroup, wanted: SiblingPosition, movingId: string | null): Promise<string> {
    const find = () => this.#gap(group, wanted, movingId);
    const rank = rankIn(await find());
    if (rank !== undefined) return String(rank);
    await this.#respace(keyOf(group));
    return String(rankIn(await find()));
  }

  async isAt(node: StoredNode, wanted: SiblingPosition): Promise<boolean> {
    const { low, high } = await this.#gap(node, wanted, node.id);
    const [own] = await this.query<{ rank: string }>(
      'SELECT rank FROM tree_nodes WHERE environment_id = $1 AND id = $2',
      [this.environmentId, node.id],
    );
    const rank = BigInt(own?.rank ?? 0);
    return (low === null || low < rank) && (high === null || rank < high);
  }

  /** Moves the children up in the node's place and returns them. */
  async lift(node: StoredNode): Promise<MovedNode[]> {
    const children = await this.query<StoredNode>(
      `SELECT ${nodeColumns} FROM tree_nodes n WHERE n.environment_id = $1 AND n.siblings = $2 ORDER BY n.rank`,
      [this.environmentId, node.id],
    );
    if (children.length === 0) return [];
    const room = BigInt(children.length + 1);
    const isTight = ({ low, high }: Gap) => high !== null && low !== null && (high - low) / room === 0n;
    const find = () => this.#gap(node, { afterId: node.id }, null);
    let gap = await find();
    if (isTight(gap)) {
      await this.#respace(keyOf(node), room * 2n);
      gap = await find();
    }
    const low = gap.low ?? 0n;
    const step = gap.high === null ? STEP : (gap.high - low) / room;
    await this.query(
      `UPDATE tree_nodes n SET parent_id = $3, rank = $4::bigint + $5::bigint * place, version = n.version + 1, updated_at = $6
       FROM unnest($2::uuid[]) WITH ORDINALITY AS given (id, place) WHERE n.environment_id = $1 AND n.id = given.id`,
      [
        this.environmentId,
        children.map(({ id }) => id),
        node.parentId,
        String(low),
        String(step),
        this.bound.now,
      ],
    );
    return children.map((before) => ({
      before,
      after: { ...before, parentId: node.parentId, version: before.version + 1, updatedAt: this.bound.now },
    }));
  }

  async #gap(group: SiblingGroup, wanted: SiblingPosition, movingId: string | null): Promise<Gap> {
    const bind = [this.environmentId, keyOf(group), movingId];
    const others = 'environment_id = $1 AND siblings = $2 AND id IS DISTINCT FROM $3::uuid';
    const neighbourId = wanted.beforeId ?? wanted.afterId;
    if (neighbourId !== undefined) {
      const at = await this.#rankOf(
        neighbourId,
        group,
        wanted.beforeId === undefined ? 'afterId' : 'beforeId',
      );
      return this.#readGap(
        wanted.beforeId === undefined
          ? `SELECT $4::bigint AS low, (SELECT min(rank) FROM tree_nodes WHERE ${others} AND rank > $4) AS high`
          : `SELECT (SELECT max(rank) FROM tree_nodes WHERE ${others} AND rank < $4) AS low, $4::bigint AS high`,
        [...bind, at],
      );
    }
    const last = `SELECT max(rank) AS low, NULL::bigint AS high FROM tree_nodes WHERE ${others}`;
    if (wanted.position === undefined) return this.#readGap(last, bind);
    const [before, after] = await this.query<{ rank: string }>(
      `SELECT rank FROM tree_nodes WHERE ${others} ORDER BY rank OFFSET greatest($4::int - 1, 0) LIMIT 2`,
      [...bind, wanted.position],
    );
    if (wanted.position === 0) return { low: null, high: before === undefined ? null : BigInt(before.rank) };
    if (before === undefined) return this.#readGap(last, bind);
    return { low: BigInt(before.rank), high: after === undefined ? null : BigInt(after.rank) };
  }

  async #readGap(sql: string, bind: readonly unknown[]): Promise<Gap> {
    const [row] = await this.query<{ low: string | null; high: string | null }>(sql, bind);
    const rank = (text: string | null | undefined) => (typeof text === 'string' ? BigInt(text) : null);
    return { low: rank(row?.low), high: rank(row?.high) };
  }

  async #rankOf(id: string, group: SiblingGroup, key: 'beforeId' | 'afterId'): Promise<string> {
    await new TreeNodeRepository(this.bound).find(id, key);
    const [row] = await this.query<{ rank: string }>(
      'SELECT rank FROM tree_nodes WHERE environment_id = $1 AND id = $2 AND siblings = $3',
      [this.environmentId, id, keyOf(group)],
    );
    if (row !== undefined) return row.rank;
    const message = 'The node has another parent.';
    throw invalidInput({ path: [key], code: 'not_a_sibling', message });
  }

  /** Respaces ranks in the same order. */
  async #respace(key: string, factor = 1n): Promise<void> {
    await this.query(
      `UPDATE tree_nodes n SET rank = $3::bigint * place FROM (
         SELECT id, row_number() OVER (ORDER BY rank) AS place FROM tree_nodes WHERE environment_id = $1 AND siblings = $2) spaced
       WHERE n.environment_id = $1 AND n.id = spaced.id`,
      [this.environmentId, key, String(STEP * factor)],
    );
  }
}
