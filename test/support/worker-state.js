/**
 * What the test files of one worker share beside modules: the path of the running file, and how to close what
 * outlives a file. Tests see it through `worker.ts`.
 */
export const workerState = { suite: undefined, closers: [] };

/** Closes in the reverse order; what cannot be closed does not keep the rest open. */
export async function closeWorker() {
  for (const close of workerState.closers.splice(0).reverse()) {
    try {
      await close();
    } catch (error) {
      console.error(error);
    }
  }
}
