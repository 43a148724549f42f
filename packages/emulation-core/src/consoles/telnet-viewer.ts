import type { ConsoleHub } from './console-hub.ts'
import type { ConsoleConnection, ConsoleConnectionEvents } from './console-listener.ts'
import { encodeTelnet } from './telnet.ts'
import { openTelnetSession } from './telnet-session.ts'

/** Makes a TCP connection a viewer of the console, in telnet. A plain `nc` works too: it shows a few odd bytes first. */
export function attachTelnetViewer(hub: ConsoleHub, connection: ConsoleConnection): ConsoleConnectionEvents {
  const session = openTelnetSession({
    send: (bytes) => connection.send(bytes),
    hangUp: () => connection.close(),
    data: (bytes) => input?.write(bytes),
    resize: (columns, rows) => input?.resize(columns, rows),
  })
  const input = hub.attach({
    send: (bytes) => connection.send(encodeTelnet(bytes)),
    get bufferedBytes() {
      return connection.bufferedBytes
    },
    close: () => connection.close(),
  })
  if (!input) connection.close()
  return {
    data: session.push,
    closed: () => {
      session.end()
      input?.detach()
    },
  }
}
