import { useProject } from '../api/project-data.js';
import { contentText } from './block-text.js';

interface Props {
  readonly value: unknown;
  /** What it is compared with. */
  readonly other?: unknown;
}

/** Any value, to be read and compared. */
export function ValueView({ value, other }: Props) {
  return <pre className="value">{contentText(useProject(), value, other)}</pre>;
}
