import * as v from 'valibot'
import { createJournal } from './journal.ts'
import type { ProbeControl } from './probe-control.ts'
import { hostMessage, type SuiteMessage } from './probe-messages.ts'
import type { ProbeChannel } from './transport.ts'

/** Controls the probe in the process of a host. What the host has sent before an answer is known when it arrives. */
export function remoteProbe({ send, onMessage }: ProbeChannel): ProbeControl {
  const journal = createJournal()
  const waiting = new Map<number, (produced: number) => void>()
  let asked = 0
  const post = (message: SuiteMessage) => send(JSON.stringify(message))
  const ask = () =>
    new Promise<number>((resolve) => {
      asked += 1
      waiting.set(asked, resolve)
      post({ ask: asked })
    })
  onMessage((text) => {
    const message = v.parse(hostMessage, JSON.parse(text))
    if ('entry' in message) {
      journal.add(message.entry)
      return
    }
    waiting.get(message.answer)?.(message.produced)
    waiting.delete(message.answer)
  })
  return {
    seen: journal.seen,
    entries: async () => {
      await ask()
      return journal.entries
    },
    produced: ask,
    open: (gate) => post({ open: gate }),
  }
}
