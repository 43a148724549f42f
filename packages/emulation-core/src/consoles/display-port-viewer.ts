import type { ConsoleConnection, ConsoleConnectionEvents } from './console-listener.ts'
import type { DisplayEndpoint } from './display-endpoint.ts'
import { attachDisplayViewer } from './display-viewer.ts'

/** What every client of VNC sends first, `0` for any digit. */
const GREETING = 'RFB 000.000\n'

/**
 * Attaches a connection of the console port to a display. Its first bytes must be the greeting of a VNC client, which a
 * browser sends to no port: no byte of another connection reaches the display.
 *
 * @param onRefused is called once where the connection is closed because it begins otherwise
 */
export function attachDisplayPortViewer(
  display: DisplayEndpoint | undefined,
  connection: ConsoleConnection,
  onRefused: () => void,
): ConsoleConnectionEvents {
  if (display === undefined) {
    connection.close()
    return { data: () => {}, closed: () => {} }
  }
  const input = attachDisplayViewer(display, {
    send: (bytes) => connection.send(bytes),
    get bufferedBytes() {
      return connection.bufferedBytes
    },
    close: () => connection.close(),
  })
  let checked = 0
  let isRefused = false
  const refuse = () => {
    isRefused = true
    input.detach()
    connection.close()
    onRefused()
  }
  return {
    data: (bytes) => {
      if (isRefused) return
      const isGreeting = bytes.subarray(0, GREETING.length - checked).every((byte, at) => fits(byte, checked + at))
      if (!isGreeting) return refuse()
      checked = Math.min(GREETING.length, checked + bytes.length)
      input.write(bytes)
    },
    closed: input.detach,
  }
}

function fits(byte: number, at: number): boolean {
  const expected = GREETING.charAt(at)
  const found = String.fromCharCode(byte)
  return expected === '0' ? found >= '0' && found <= '9' : found === expected
}
