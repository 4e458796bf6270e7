import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { reportAnswers, type AnswerReport } from './answers/answer-report.js';
import { mergeSeen, readAnswers, type SuiteAnswers } from './answers/answer-watch.js';
import { skippedOperations } from './answers/skipped-operations.js';
import { judge, readRecords, type Verdict, type WatchRecord } from './secrets/watch-records.js';

/** A run of test files. */
export interface Run {
  /** Every test file of the service was in the run, whether it ran or was skipped. */
  readonly isWhole: boolean;
  /** Folder of the records of a whole run. */
  readonly folder: string | undefined;
  /** The report of answers is wanted after any run. */
  readonly isReported: boolean;
  readonly suites: readonly RunSuite[];
}

interface RunSuite {
  /** Absolute. */
  readonly file: string;
  /** Tests of it were skipped. */
  readonly isSkipped: boolean;
}

export interface Judgement {
  readonly secrets: Verdict;
  /** Unset after other runs: the report visits the keys of every contract. */
  readonly answers: AnswerReport | undefined;
  /** The answers were those of every test file. */
  readonly isWhole: boolean;
}

/** What the test files of a run noted. */
interface Records {
  readonly secrets: readonly WatchRecord[];
  readonly answers: readonly SuiteAnswers[];
}

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

async function ownRecords(): Promise<Records> {
  return {
    secrets: await readRecords(variable('HEADWATER_SECRET_RECORDS')),
    answers: await readAnswers(variable('HEADWATER_ANSWER_RECORDS')),
  };
}

/** The records of an earlier whole run, without those of test files that ran again since. */
async function earlierRecords(file: string, suites: readonly RunSuite[]): Promise<Records> {
  const { secrets, answers } = JSON.parse(await readFile(file, 'utf8')) as Records;
  const again = new Set(suites.map((suite) => path.relative(process.cwd(), suite.file)));
  const isOfOthers = ({ suite }: { readonly suite: string }) => !again.has(suite);
  return { secrets: secrets.filter(isOfOthers), answers: answers.filter(isOfOthers) };
}

/**
 * Judges what the test files of a run noted: secrets after every run, keys of answers after a whole run. Operations of
 * skipped suites are not judged. With a folder a whole run leaves its records there, and a later run of some files is
 * judged with the records of the others, as if all had run.
 */
export async function judgeRun({ isWhole, folder, isReported, suites }: Run): Promise<Judgement> {
  const own = await ownRecords();
  const file = folder ? path.join(folder, 'records.json') : undefined;
  if (isWhole && file !== undefined) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(own));
  }
  const isAdded = !isWhole && file !== undefined && existsSync(file);
  const earlier = isAdded ? await earlierRecords(file, suites) : { secrets: [], answers: [] };
  const skipped = skippedOperations(suites.filter(({ isSkipped }) => isSkipped).map((suite) => suite.file));
  const judged = isWhole || isAdded;
  return {
    isWhole: judged,
    secrets: judge([...earlier.secrets, ...own.secrets], { isWhole: judged, skipped }),
    answers:
      judged || isReported
        ? reportAnswers(mergeSeen([...earlier.answers, ...own.answers].map(({ seen }) => seen)), skipped)
        : undefined,
  };
}
