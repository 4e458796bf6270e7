/** An environment that was made of another. */
export interface Branch {
  readonly environmentId: string;
  readonly baseId: string;
  /** The first epoch of the base that the branch does not contain. */
  readonly baseEpoch: number;
  /** Orders the states that environments had in common. */
  readonly number: number;
  /** False: it began with the schema of its base only. */
  readonly copiesContent: boolean;
}

/** Changes of an environment in these epochs; null: from the first, to the last. */
interface Span {
  readonly environmentId: string;
  readonly from: number | null;
  readonly before: number | null;
}

/**
 * How two environments descend from the same. The last state that both have is the one that their common ancestor had
 * when the first of both lines left it, with which that line began.
 */
export interface Relation {
  /** The environment that began with that state. */
  readonly startId: string;
  /** Orders it among such states. */
  readonly number: number;
  /** False: they had only the schema in common. */
  readonly sharesContent: boolean;
  /** Where what differs between both was changed since. */
  readonly spans: readonly Span[];
}

type Branches = ReadonlyMap<string, Branch>;

/** The branches from an environment to the root, itself first. */
function lineOf(id: string, branches: Branches): Branch[] {
  const line: Branch[] = [];
  for (let one = branches.get(id); one !== undefined; one = branches.get(one.baseId)) line.push(one);
  return line;
}

/** What one line changed since it left the ancestor. */
const spansOf = (line: readonly Branch[]): Span[] =>
  line.map(({ environmentId }, index) => ({
    environmentId,
    from: null,
    before: line[index - 1]?.baseEpoch ?? null,
  }));

/** Undefined: they have no common ancestor. */
export function relationOf(one: string, other: string, branches: Branches): Relation | undefined {
  const [first, second] = [lineOf(one, branches), lineOf(other, branches)];
  const ancestors = new Set([one, ...first.map(({ baseId }) => baseId)]);
  const ancestor = [other, ...second.map(({ baseId }) => baseId)].find((id) => ancestors.has(id));
  if (ancestor === undefined) return undefined;
  const upTo = (line: readonly Branch[]): Branch[] => {
    const end = line.findIndex(({ environmentId }) => environmentId === ancestor);
    return end < 0 ? [...line] : line.slice(0, end);
  };
  const lines = [upTo(first), upTo(second)];
  const tops = lines.flatMap((line) => line.at(-1) ?? []).sort((a, b) => a.baseEpoch - b.baseEpoch);
  const [start, later] = tops;
  if (start === undefined) return undefined;
  return {
    startId: start.environmentId,
    number: start.number,
    sharesContent: lines.flat().every(({ copiesContent }) => copiesContent),
    spans: [
      ...lines.flatMap(spansOf),
      { environmentId: ancestor, from: start.baseEpoch, before: later?.baseEpoch ?? null },
    ],
  };
}
