// Rows of work beside each other, which leave the processors as little idle as they can.
import os from 'node:os';

/** Gives the share of the processors' time that was left over since the last call. */
function idleWatch() {
  const read = () => {
    const times = os.cpus().flatMap((processor) => Object.entries(processor.times));
    const sum = (some) => some.reduce((all, [, time]) => all + time, 0);
    return { idle: sum(times.filter(([name]) => name === 'idle')), all: sum(times) };
  };
  let last = read();
  return () => {
    const now = read();
    const share = (now.idle - last.idle) / (now.all - last.all);
    last = now;
    return share;
  };
}

/**
 * Does pieces of work, `min` at a time. After each second in which a quarter of the processors' time was left one more
 * begins, up to `max`: tests wait for programs, browsers and databases.
 */
export function workThrough(works, min, max = min) {
  return new Promise((resolve, reject) => {
    const left = [...works];
    let running = 0;
    const idleShare = idleWatch();
    const begin = () => {
      const work = left.shift();
      if (work === undefined) return running === 0 && end();
      running += 1;
      work().then(() => {
        running -= 1;
        if (running < min) begin();
      }, reject);
    };
    const timer = setInterval(() => {
      const isIdle = idleShare() > 1 / 4;
      if (isIdle && running < max && left.length > 0) begin();
    }, 1000);
    const end = () => {
      clearInterval(timer);
      resolve();
    };
    if (left.length === 0) end();
    for (let first = 0; first < min && left.length > 0; first += 1) begin();
  });
}
