// Loaded before the service (`node --import`): measures the processor time of the turns of its event loop.
import process from 'node:process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const milliseconds = ({ user, system }) => (user + system) / 1000;

const delay = monitorEventLoopDelay({ resolution: 1 });
let isWatching = false;
let last = 0;
let longest = 0;

function look() {
  const now = milliseconds(process.threadCpuUsage());
  longest = Math.max(longest, now - last);
  last = now;
  if (isWatching) setImmediate(look);
}

/** Processor time of a fixed piece of work like that of a request: 3 to 5 ms on an idle machine. */
function calibrate() {
  const text = JSON.stringify(Array.from({ length: 4000 }, (_, index) => ({ index, name: `name ${index}` })));
  const before = milliseconds(process.threadCpuUsage());
  for (let round = 0; round < 4; round += 1) JSON.stringify(JSON.parse(text));
  return milliseconds(process.threadCpuUsage()) - before;
}

if (isMainThread)
  process.on('message', (message) => {
    if (message === 'calibrate') process.send({ workMs: calibrate() });
    else if (message === 'start') {
      longest = 0;
      last = milliseconds(process.threadCpuUsage());
      isWatching = true;
      delay.reset();
      delay.enable();
      setImmediate(look);
      process.send({});
    } else {
      isWatching = false;
      delay.disable();
      process.send({ turnMs: longest, delayMs: delay.max / 1e6 });
    }
  });
