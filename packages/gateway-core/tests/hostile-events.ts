import type { GatewayOptions, UsageRecord } from '@trivium/gateway-core'
import { expect, it } from 'vitest'

export interface StreamAnswer {
  readonly status: number
  readonly text: string
  readonly record: UsageRecord | undefined
}

export interface HostileEventsCase {
  /** A complete answer, with the text of the stream. */
  readonly completion: Readonly<Record<string, unknown>>
  /** The events of a complete answer, each with its blank line. */
  readonly stream: readonly string[]
  /** Whether the upstream's client reads events after the end. */
  readonly readsPastEnd: boolean
  /** Sends a streamed request to an upstream that answers with this stream. */
  readonly ask: (stream: string | Uint8Array, options?: Partial<GatewayOptions>) => Promise<StreamAnswer>
  /** Sends a request for a complete answer, which is this text. */
  readonly askWhole: (body: string) => Promise<StreamAnswer>
  /** Expects that a stream was refused, has failed or is complete, and that its record says so. */
  readonly expectEnding: (answer: StreamAnswer) => void
}

/** Recursion over it overflows the stack. */
const DEEP = '['.repeat(20_000) + ']'.repeat(20_000)

/** Values of another type than that of any member. */
const wrongValues = [7, null, [], {}, 'x', true]

/** Returns copies of a value, each with one member of another type. */
function* mistyped(value: unknown, depth = 0): Iterable<unknown> {
  if (depth > 4 || typeof value !== 'object' || value === null) return
  for (const [index, [name, member]] of Object.entries(value).entries()) {
    const wrong = wrongValues[(index + depth) % wrongValues.length]
    const replaced = (other: unknown) => (Array.isArray(value) ? value.with(index, other) : { ...value, [name]: other })
    yield replaced(wrong)
    for (const inner of mistyped(member, depth + 1)) yield replaced(inner)
  }
}

/** Returns copies of the stream, each with one event that has a member of another type. */
function mistypedStreams(stream: readonly string[]): readonly string[] {
  return stream.flatMap((event, index) => {
    const data = /^data: (\{.*)$/m.exec(event)?.[1]
    if (data === undefined) return []
    return [...mistyped(JSON.parse(data))].map((wrong) =>
      stream
        .with(
          index,
          event.replace(data, () => JSON.stringify(wrong)),
        )
        .join(''),
    )
  })
}

/** Registers the tests of events that are malformed, too large or superfluous. */
export function hostileEvents({
  completion,
  stream,
  readsPastEnd,
  ask,
  askWhole,
  expectEnding,
}: HostileEventsCase): void {
  it('refuses or tolerates events whose members have other types', { timeout: 60_000 }, async () => {
    for (const wrong of mistypedStreams(stream)) expectEnding(await ask(wrong))
  })

  it('refuses or tolerates deeply nested JSON, also between the events of a stream', async () => {
    for (const place of stream.keys()) {
      for (const deep of [
        `data: ${DEEP}\n\n`,
        `data: {"type":"x","choices":${DEEP}}\n\n`,
        `data: ${'{"a":'.repeat(1e5)}\n\n`,
      ]) {
        expectEnding(await ask(stream.toSpliced(place, 0, deep).join('')))
      }
    }
    const last = stream.findLastIndex((event) => event.includes('Grüße'))
    const inText = (stream[last] ?? '').replace(/"Grüße[^"]*"/, DEEP)
    expectEnding(await ask(stream.with(last, inText).join('')))
    const whole = JSON.stringify({ ...completion, usage: undefined, other: 0 })
    for (const deep of [whole.replace(/"Grüße[^"]*"/, DEEP), whole.replace('"other":0', `"other":${DEEP}`)]) {
      expect([200, 502]).toContain((await askWhole(deep)).status)
    }
  })

  it('refuses or tolerates text that is not UTF-8 in a stream', async () => {
    const bytes = Buffer.from(stream.join(''))
    for (const [place, byte] of bytes.entries()) {
      if (byte < 0x80) continue
      const broken = Buffer.from(bytes)
      broken[place] = 0xff
      expectEnding(await ask(broken))
    }
  })

  it('ends an event that is larger than the limit', async () => {
    const longest = Math.max(...stream.map(({ length }) => length))
    const large = `data: ${JSON.stringify({ type: 'x', text: 'x'.repeat(longest * 2) })}\n\n`
    for (const place of [0, 2]) {
      const answer = await ask(stream.toSpliced(place, 0, large.slice(0, -2)).join(''), {
        chat: { maxEventBytes: longest + 1 },
      })
      expectEnding(answer)
      expect([place, answer.status === 200 ? answer.record?.partial : true]).toEqual([place, true])
    }
  })

  it.skipIf(readsPastEnd)('passes on no event that follows the end', async () => {
    const whole = await ask(stream.join(''))
    const late = stream.slice(0, -1).join('').replaceAll('Grüße', 'too late')
    const answer = await ask(`${stream.join('')}${late}data: {\n\n`)
    expectEnding(answer)
    expect([answer.status, answer.text.includes('too late')]).toEqual([200, false])
    expect(answer.record).toMatchObject({ partial: false, outputTokens: whole.record?.outputTokens })
  })
}
