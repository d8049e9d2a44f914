// Sends so many bodies at once, all but their last bytes, and says so; until it is ended.
import net from 'node:net';

const [port, secret, count, bytes] = process.argv.slice(2);
const piece = Buffer.alloc(64 * 1024, 'x');
let sent = 0;

for (let n = 0; n < Number(count); n += 1) {
  const socket = net.connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /v1/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
  );
  let left = Number(bytes) - 100;
  const send = () => {
    while (left > 0 && !socket.destroyed) {
      left -= piece.length;
      sent += piece.length;
      if (!socket.write(piece)) {
        socket.once('drain', send);
        return;
      }
    }
  };
  send();
}
setInterval(() => process.send?.(sent), 200);
