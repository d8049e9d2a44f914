// A node in a separate process, which is killed while it delivers.
import { defaultTimeouts } from '../../../../lib/database/postgres/connect.js';
import { Postgres } from '../../../../lib/database/postgres/postgres.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { deliveringNode } from './delivering-node.js';

const [url = ''] = process.argv.slice(2);
const postgres = await Postgres.open({ url, connections: 5 }, systemClock, defaultTimeouts);
deliveringNode(postgres, (cause) => console.error(cause)).deliverer.wake();
