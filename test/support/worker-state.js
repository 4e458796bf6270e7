/**
 * What the test files of one worker share beside modules: the path of the running file, and how to close what
 * outlives a file. Tests see it through `worker.ts`.
 */
export const workerState = { suite: undefined, closers: [] };

/** What cannot be closed does not keep the rest open. */
export async function closeWorker() {
  await Promise.allSettled(workerState.closers.splice(0).map((close) => close()));
}
