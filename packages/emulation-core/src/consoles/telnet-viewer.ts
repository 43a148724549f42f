import type { ConsoleHub } from './console-hub.ts'
import type { ConsoleConnection, ConsoleConnectionEvents } from './console-listener.ts'
import { encodeTelnet } from './telnet.ts'
import { openTelnetSession } from './telnet-session.ts'

/**
 * Attaches a telnet connection to a console as a viewer. A plain `nc` works as well, and shows the telnet greeting
 * first.
 *
 * @param onRefused is called once where the connection is closed because a web page made it
 */
export function attachTelnetViewer(
  hub: ConsoleHub,
  connection: ConsoleConnection,
  onRefused: () => void,
): ConsoleConnectionEvents {
  const session = openTelnetSession({
    send: (bytes) => connection.send(bytes),
    hangUp: () => {
      connection.close()
      onRefused()
    },
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
