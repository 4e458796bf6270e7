import { median } from '../growth/median.js';
import type { Known, WriteClient } from './client.js';
import { richText } from './content.js';

const BLOCKS = 50;
const BYTES_OF_BLOCK = 1200;
const READS = 60;

const measures = ['save', 'publish', 'read', 'graphql'] as const;
type Measure = (typeof measures)[number];
type Change = (round: number) => object;

interface Subject {
  readonly name: string;
  readonly entry: Known;
  readonly change: Change;
  readonly query: string;
  readonly values: Readonly<Record<Measure, number[]>>;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

type Sections = readonly { readonly _ref: string }[];

const texts = (): object[] => Array.from({ length: BLOCKS }, () => richText(BYTES_OF_BLOCK));

/** The paragraphs of all blocks as one text. */
const joined = (parts: readonly object[]): object => ({
  type: 'doc',
  content: parts.flatMap((part) => (part as { content: object[] }).content),
});

const queryOf = ({ id }: Known, selection: string): string =>
  `{ entry(id: "${id}") { ... on Page { title ${selection} } } }`;

/** A page whose text is in one field, and one whose text is in fifty blocks: what is changed and read is the same. */
async function makeSubjects(client: WriteClient): Promise<Subject[]> {
  const parts = texts();
  const values = () => ({ save: [], publish: [], read: [], graphql: [] });
  const field = await client.make({ title: 'One field', text: joined(parts) });
  const blocks = await client.make({
    title: 'Blocks',
    sections: parts.map((text) => ({ _type: 'section', fields: { text } })),
  });
  const { fields } = await client.get<{ fields: { sections: Sections } }>(`/entries/${blocks.id}?locale=en`);
  return [
    {
      name: 'text in one field',
      entry: field,
      change: (round) => ({ title: `One field ${String(round)}`, text: joined(texts()) }),
      query: queryOf(field, 'text { html }'),
      values: values(),
    },
    {
      name: `text in ${String(BLOCKS)} blocks`,
      entry: blocks,
      change: (round) => ({
        title: `Blocks ${String(round)}`,
        sections: texts().map((text, index) => ({ _ref: fields.sections[index]?._ref, fields: { text } })),
      }),
      query: queryOf(blocks, 'sections { __typename ... on Section { text { html } } }'),
      values: values(),
    },
  ];
}

async function measureRound(client: WriteClient, { entry, change, query, values }: Subject, round: number) {
  const fields = change(round);
  const took: Record<Measure, number> = {
    save: await timed(() => client.update(entry, { locale: 'en', fields })),
    publish: await timed(() => client.publish(entry)),
    read: (await timed(() => client.readMany(entry, READS))) / READS,
    graphql: (await timed(() => client.queryMany(query, READS))) / READS,
  };
  if (round >= 0) for (const name of measures) values[name].push(took[name]);
}

/** Saves, publishes and reads both pages in turns; reads are not cached. */
export async function compareBlocks(client: WriteClient, { rounds }: { rounds: number }): Promise<void> {
  const subjects = await makeSubjects(client);
  for (let round = -3; round < rounds; round += 1)
    for (const subject of subjects) await measureRound(client, subject, round);
  const [first] = subjects;
  console.log(
    '\n| A page of 60 KB | Save, ms | Ratio | Publish, ms | Ratio | REST include=1, ms | Ratio | GraphQL, ms | Ratio |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const { name, values } of subjects) {
    const cells = measures.flatMap((one) => [
      median(values[one]).toFixed(2),
      (median(values[one]) / median(first?.values[one] ?? [])).toFixed(2),
    ]);
    console.log(`| ${[name, ...cells].join(' | ')} |`);
  }
}
