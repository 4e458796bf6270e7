import { useState } from 'react';
import type { SchemaDocument } from '../../../../contracts/vocabulary/schema-document.js';
import { client } from '../../api/client.js';
import type { Failure } from '../../api/failure.js';
import { useProject } from '../../api/project-data.js';
import { useCall } from '../../api/use-call.js';
import { readSchema, type SchemaPlan } from './schema-document.js';

interface Planned {
  readonly schema: SchemaDocument;
  readonly plan: SchemaPlan;
  /** Another one than was shown when the user wanted to apply it. */
  readonly isOther?: boolean;
}

interface SchemaPlanning {
  readonly text: string;
  /** Changes the document; its plan is made again when the user asks for it. */
  readonly setText: (text: string) => void;
  readonly planned: Planned | undefined;
  readonly replacePlan: (plan: SchemaPlan) => void;
  /** Why the document cannot be read. */
  readonly problems: readonly string[];
  readonly isBusy: boolean;
  readonly failure: Failure | undefined;
  readonly plan: (text: string) => Promise<void>;
}

/** A document that the user writes, and what an apply of it would change. */
export function useSchemaPlan(): SchemaPlanning {
  const { slug: projectSlug } = useProject();
  const [text, setText] = useState('');
  const [planned, setPlanned] = useState<Planned>();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const { isBusy, failure, run } = useCall();
  const keep = (next: string): void => {
    setText(next);
    setPlanned(undefined);
    setProblems([]);
  };
  const read = async (document: string): Promise<void> => {
    const reading = readSchema(document);
    if ('problems' in reading) return setProblems(reading.problems);
    const { schema } = reading;
    const { data: plan } = await client.schema.plan.mutate({ projectSlug, schema });
    setPlanned({ schema, plan });
  };
  return {
    text,
    setText: keep,
    planned,
    replacePlan: (plan) => setPlanned(planned && { ...planned, plan, isOther: true }),
    problems,
    isBusy,
    failure,
    plan: (document) => {
      keep(document);
      return run(() => read(document));
    },
  };
}
