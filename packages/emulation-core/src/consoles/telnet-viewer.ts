import type { ConsoleHub } from './console-hub.ts'
import type { ConsoleConnection, ConsoleConnectionEvents } from './console-listener.ts'
import { consoleServer, createTelnetDecoder, encodeTelnet } from './telnet.ts'

/** Makes a TCP connection a viewer of the console, in telnet. A plain `nc` works too: it shows a few odd bytes first. */
export function attachTelnetViewer(hub: ConsoleHub, connection: ConsoleConnection): ConsoleConnectionEvents {
  const telnet = createTelnetDecoder(consoleServer, {
    data: (bytes) => input?.write(bytes),
    reply: (bytes) => connection.send(bytes),
    resize: (columns, rows) => input?.resize(columns, rows),
  })
  connection.send(telnet.greeting)
  const input = hub.attach({
    send: (bytes) => connection.send(encodeTelnet(bytes)),
    get bufferedBytes() {
      return connection.bufferedBytes
    },
    close: () => connection.close(),
  })
  if (!input) connection.close()
  return {
    data: (bytes) => telnet.push(bytes),
    closed: () => input?.detach(),
  }
}
