// The parts of a file that an isolate works on at the same time take turns: one of them
// computes while another one reads or writes. If all computed at the same time, and then all
// read, a request of the gate would wait for all of them.
import { isBusy } from "./busy.mjs";

/** A turn that takes longer than this many milliseconds does not hold up the others. Perhaps its consumer has ended. */
const patience = 1000;

class Turns {
  begun = 0; // when the present turn began, in ms; 0 if there is none

  // take runs work when it has the turn, and returns its result. It lets requests of the
  // gate go first: the platform runs an isolate on one thread, and a call that waits for the
  // gate is more urgent than a line to score. The number of these waits is limited, so that
  // the batch continues too.
  async take(work) {
    for (let n = 1; Date.now() - this.begun < patience || n < 20 && isBusy(); n++) await scheduler.wait(Math.min(n, 20));
    const mine = this.begun = Date.now();
    try {
      return await work();
    } finally {
      if (this.begun === mine) this.begun = 0;
    }
  }
}

const computing = new Turns();
const moving = new Turns();

/** compute runs a function that takes some milliseconds. Before the next turn, all events that have happened are handled. */
export const compute = (work) => computing.take(async () => {
  const result = work();
  await scheduler.wait(0);
  return result;
});

/** move runs an asynchronous function that reads or writes a large object. */
export const move = (work) => moving.take(work);
