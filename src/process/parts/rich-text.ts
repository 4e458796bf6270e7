import { AppError } from '../../../contracts/errors.js';
import type { ConvertedRichText, RichTextSource } from '../../content/rich-text/rich-text-source.js';
import type { RichTextConverter } from '../../features/entries/entries/index.js';
import { WorkerCallFailure, WorkerCalls } from '../../infrastructure/worker-calls.js';

const MILLISECONDS = 5000;
const MAXIMUM_WAITING = 20;

/** Beside the file that runs; tests run the sources, and their setup has built them. */
const threadFile = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('../../../dist/rich-text-thread.js', import.meta.url)
    : new URL('./rich-text-thread.js', import.meta.url);

function refusalOf({ reason }: WorkerCallFailure): AppError | ConvertedRichText {
  if (reason === 'overload') return new AppError('service_unavailable');
  const message = 'The rich text takes too long to convert. Send less of it, or a document tree.';
  return { problems: [{ path: [], code: 'too_complex', message }] };
}

/** Converts rich text in a thread, so that no request blocks others. */
export function openRichText(): RichTextConverter {
  const calls = new WorkerCalls<RichTextSource, ConvertedRichText>({
    file: threadFile(),
    milliseconds: MILLISECONDS,
    maximumWaiting: MAXIMUM_WAITING,
  });
  return {
    async convert(source) {
      try {
        return await calls.call(source);
      } catch (error) {
        if (!(error instanceof WorkerCallFailure)) throw error;
        const refusal = refusalOf(error);
        if (refusal instanceof AppError) throw refusal;
        return refusal;
      }
    },
    close: () => calls.close(),
  };
}
