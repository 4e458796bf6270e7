import { useSyncExternalStore } from 'react';
import { v7 as uuid } from 'uuid';
import { isOwnBlock, type OwnBlock } from '../../content/model/own-block.js';

interface Copied {
  readonly project: string;
  readonly block: OwnBlock;
}

/** Removed at log out like drafts, because it has content of the project. */
const KEY = 'headwater.draft.copied-block';
const CHANGED = 'headwater-block-copied';

/** The block with ids that no other one has, on every level. Its id in another system stays with the original. */
export function withNewIds({ _type, fields }: OwnBlock): OwnBlock {
  const copied = Object.entries(fields).map(([name, value]): [string, unknown] => [name, copyOf(value)]);
  return { _ref: uuid(), _type, fields: Object.fromEntries(copied) };
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  return isOwnBlock(value) ? withNewIds(value) : value;
}

/** Keeps a block, so that it can be pasted on another page, or in another tab. */
export function copyBlock(project: string, block: OwnBlock): void {
  localStorage.setItem(KEY, JSON.stringify({ project, block } satisfies Copied));
  dispatchEvent(new Event(CHANGED));
}

function subscribe(listener: () => void): () => void {
  addEventListener(CHANGED, listener);
  addEventListener('storage', listener);
  return () => {
    removeEventListener(CHANGED, listener);
    removeEventListener('storage', listener);
  };
}

/** The block that was copied last in the project. */
export function useCopiedBlock(project: string): OwnBlock | undefined {
  const stored = useSyncExternalStore(subscribe, () => localStorage.getItem(KEY));
  if (stored === null) return undefined;
  const copied = JSON.parse(stored) as Copied;
  return copied.project === project ? copied.block : undefined;
}
