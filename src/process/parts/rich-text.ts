import { AppError } from '../../../contracts/errors.js';
import type {
  ConversionResult,
  ConversionTask,
  ConvertedRichText,
  ForeignImage,
  KnownImages,
} from '../../content/rich-text/rich-text-source.js';
import type { RichTextConverter } from '../../features/entries/entries/index.js';
import { WorkerCallFailure, WorkerCalls } from '../../infrastructure/worker-calls.js';

const MILLISECONDS = 5000;
const MAXIMUM_WAITING = 20;

/** Beside the file that runs; tests run the sources, and their setup has built them. */
const threadFile = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('../../../dist/rich-text-thread.js', import.meta.url)
    : new URL('./rich-text-thread.js', import.meta.url);

const tooComplex: ConvertedRichText = {
  problems: [
    {
      path: [],
      code: 'too_complex',
      message: 'The rich text takes too long to convert. Send less of it, or a document tree.',
    },
  ],
};

/**
 * Converts rich text in a thread, so that no request blocks others.
 * @param ownMedia what the URLs of a project's files start with
 */
export function openRichText(ownMedia: (projectSlug: string) => readonly string[]): RichTextConverter {
  const calls = new WorkerCalls<ConversionTask, ConversionResult>({
    file: threadFile(),
    milliseconds: MILLISECONDS,
    maximumWaiting: MAXIMUM_WAITING,
  });
  const knownIn = (projectSlug: string, pictures: KnownImages['pictures'] = new Map()): KnownImages => ({
    ownMedia: ownMedia(projectSlug),
    pictures,
  });
  const call = async <R extends ConversionResult>(task: ConversionTask, failed: R): Promise<R> => {
    try {
      return (await calls.call(task)) as R;
    } catch (error) {
      if (!(error instanceof WorkerCallFailure)) throw error;
      if (error.reason === 'overload') throw new AppError('service_unavailable');
      return failed;
    }
  };
  return {
    convert: (source, { projectSlug, pictures }) =>
      call<ConvertedRichText>({ task: 'convert', source, known: knownIn(projectSlug, pictures) }, tooComplex),
    images: (source, projectSlug) =>
      call<readonly ForeignImage[]>({ task: 'images', source, known: knownIn(projectSlug) }, []),
    close: () => calls.close(),
  };
}
