import { type Relay, type RelaySink, relay } from '../response-body.ts'
import type { Journal } from './journal.ts'
import type { ProbeSources } from './probe-sources.ts'

/** The bodies that the probe streams, by the id in the path. */
export interface ProbeStreams {
  readonly events: (id: string) => AsyncIterable<unknown> | Relay
  readonly lines: (id: string) => AsyncIterable<unknown>
  readonly picture: (id: string) => Uint8Array | AsyncIterable<Uint8Array>
}

export const pictureBytes = Uint8Array.from({ length: 256 }, (_, index) => index)

export function createStreams(journal: Journal, sources: ProbeSources): ProbeStreams {
  const { sequence, endless, silentAfter, opened, produce } = sources

  const fail = () => {
    throw new Error('the source failed')
  }
  const failLater = async () => {
    await opened('second')
    return fail()
  }
  const after = (gate: string, value: unknown) => async () => {
    await opened(gate)
    return value
  }

  const relayed = (begin: (sink: RelaySink) => void, resume: (sink: RelaySink) => void = () => undefined): Relay =>
    relay(
      (sink) => {
        begin(sink)
        return { resume: () => resume(sink), close: () => journal.add('source closed') }
      },
      () => journal.add('relay cancelled'),
    )

  const pour = (sink: RelaySink) => {
    // One chunk in each turn of the event loop, as the bytes of an upstream arrive.
    if (sink.write(produce())) setImmediate(pour, sink)
    else journal.add('relay waits')
  }

  const events: Readonly<Record<string, () => AsyncIterable<unknown> | Relay>> = {
    two: () =>
      sequence<unknown>(
        () => ({ n: 1, text: 'a\nb' }),
        () => ({ n: 2 }),
      ),
    none: () => sequence(),
    gated: () => sequence(after('first', 1), after('second', 2)),
    commented: () => sequence(() => 1, after('second', 2)),
    'early-failure': () => sequence(fail),
    'late-failure': () => sequence(() => 1, fail),
    silent: () => silentAfter(),
    'then-silent': () => silentAfter(1),
    endless,
    'relay-two': () =>
      relayed((sink) => {
        sink.write('data: 1\n\n')
        sink.write(new TextEncoder().encode('data: ü\n\n'))
        sink.end()
      }),
    'relay-gated': () =>
      relayed(async (sink) => {
        await opened('first')
        sink.write('data: 1\n\n')
        await opened('second')
        sink.end()
      }),
    'relay-broken': () =>
      relayed((sink) => {
        sink.write('data: 1\n\n')
        void opened('second').then(() => sink.destroy())
      }),
    'relay-silent': () => relayed(() => journal.add('source silent')),
    'relay-then-silent': () => relayed((sink) => sink.write('data: 1\n\n')),
    'relay-endless': () => relayed(pour, pour),
    'relay-failing': () => relayed(fail),
  }

  return {
    events: (id) => events[id]?.() ?? sequence(),
    lines: (id) => sequence<unknown>(() => ({ n: 1 }), id === 'broken' ? failLater : () => ({ n: 2 })),
    picture: (id) => {
      if (id === 'whole') return pictureBytes
      return sequence(
        () => pictureBytes.subarray(0, 100),
        id === 'broken' ? failLater : () => pictureBytes.subarray(100),
      )
    },
  }
}
