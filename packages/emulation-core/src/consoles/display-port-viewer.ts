import type { ConsoleConnection, ConsoleConnectionEvents } from './console-listener.ts'
import type { DisplayEndpoint, DisplayProtocol } from './display-endpoint.ts'
import { attachDisplayViewer } from './display-viewer.ts'

/** What every client sends first, `0` for any digit. */
const greetings: Readonly<Record<DisplayProtocol, string>> = { vnc: 'RFB 000.000\n', spice: 'REDQ' }

/**
 * Attaches a connection of the console port to a display. Its first bytes must be the greeting of its protocol, which a
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
  const greeting = greetings[display.protocol]
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
      const isGreeting = bytes
        .subarray(0, greeting.length - checked)
        .every((byte, at) => fits(byte, greeting.charAt(checked + at)))
      if (!isGreeting) return refuse()
      checked = Math.min(greeting.length, checked + bytes.length)
      input.write(bytes)
    },
    closed: input.detach,
  }
}

function fits(byte: number, expected: string): boolean {
  const found = String.fromCharCode(byte)
  return expected === '0' ? found >= '0' && found <= '9' : found === expected
}
