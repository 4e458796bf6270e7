import { rehearsedReply, type CallContext, type RehearsedReply } from '../../procedures/index.js';

/** Executes a call, rolls it back and returns its output with the changes in the form of audit records. */
export async function rehearse(context: CallContext, call: () => Promise<unknown>): Promise<RehearsedReply> {
  const rehearsal = context.rehearse();
  try {
    return rehearsedReply((await call()) as object, rehearsal);
  } finally {
    context.perform();
  }
}
