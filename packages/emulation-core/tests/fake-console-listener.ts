import { type ConsoleConnectionEvents, type ConsoleListener, Refusal } from '../src/ports.ts'

/** Creates console ports without a network. Port 2999 cannot be bound. */
export function fakeConsoleListener() {
  const open = new Map<
    number,
    (text: string) => { readonly received: string[]; readonly events: ConsoleConnectionEvents }
  >()
  const listener: ConsoleListener = {
    listen: async (port, accept) => {
      if (port === 2999 || open.has(port)) throw new Refusal('unavailable', `Port ${port} could not be bound`)
      open.set(port, (text) => {
        const received: string[] = []
        const events = accept({
          send: (bytes) => void received.push(new TextDecoder('latin1').decode(bytes)),
          bufferedBytes: 0,
          close: () => events.closed(),
        })
        if (text !== '') events.data(new TextEncoder().encode(text))
        return { received, events }
      })
      return { close: async () => void open.delete(port) }
    },
  }
  return { listener, open }
}
