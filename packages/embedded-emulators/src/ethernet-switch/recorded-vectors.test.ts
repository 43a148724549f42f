import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { formatMac } from '../addresses/mac-address.ts'
import { createSwitchEngine, type SwitchEngineOptions } from './switch-engine.ts'

const mode = v.tuple([v.picklist(['access', 'dot1q', 'qinq']), v.number(), v.optional(v.number())])

const step = v.union([
  v.object({ in: v.number(), frame: v.string(), out: v.record(v.string(), v.array(v.string())) }),
  v.object({ cmd: v.string(), reply: v.string() }),
])

const vectors = v.parse(
  v.array(v.object({ case: v.string(), ports: v.record(v.string(), mode), steps: v.array(step) })),
  JSON.parse(readFileSync(new URL('../../tests/data/switch-vectors.json', import.meta.url), 'utf8')),
)

type Vector = (typeof vectors)[number]

/** The table as the recorded switch prints it: dotted quads, VLAN and the name of the port. */
const showTable = (engine: ReturnType<typeof createSwitchEngine>): readonly string[] =>
  engine.macTable.entries().map(({ mac, vlan, port }) => {
    const digits = formatMac(mac).replaceAll(':', '')
    return `${digits.slice(0, 4)}.${digits.slice(4, 8)}.${digits.slice(8)}  ${vlan}  n${port.number}`
  })

/** Replays a recording, and returns each step as this switch performs it. */
function replay(vector: Vector, options: SwitchEngineOptions) {
  const engine = createSwitchEngine(options)
  let out: Record<string, string[]> = {}
  for (const [name, [type, vlan, tagProtocol]] of Object.entries(vector.ports)) {
    const number = Number(name)
    engine.addPort(number, { type, vlan, ...(tagProtocol === undefined ? {} : { tagProtocol }) }, (frame) => {
      out[name] = [...(out[name] ?? []), Buffer.from(frame).toString('hex')]
    })
  }
  return vector.steps.map((recorded) => {
    if ('in' in recorded) {
      out = {}
      engine.receive(recorded.in, Buffer.from(recorded.frame, 'hex'))
      return { ...recorded, out }
    }
    const access = /^ethsw set_access_port SW n(\d+) (\d+)$/.exec(recorded.cmd)
    if (access !== null) {
      engine.setMode(Number(access[1]), { type: 'access', vlan: Number(access[2]) })
      return { ...recorded, reply: '100-Port settings OK' }
    }
    const lines = showTable(engine).map((line) => `101 ${line}\r\n`)
    return { ...recorded, reply: `${lines.join('')}100-OK` }
  })
}

function findVector(name: string): Vector {
  const vector = vectors.find((candidate) => candidate.case === name)
  if (vector === undefined) throw new Error(`there is no recording "${name}"`)
  return vector
}

describe('a switch with the options for dynamips', () => {
  it('has 24 recordings to follow', () => {
    expect(vectors).toHaveLength(24)
  })

  it.each(vectors)('forwards as recorded: $case', (vector) => {
    expect(replay(vector, { qinqCompat: 'dynamips', tableCompat: 'dynamips' })).toEqual(vector.steps)
  })
})

describe('a switch with default options', () => {
  const deviations = [
    'qinq to qinq same outer (dynamips pops the customer tag)',
    'stale mac after vlan change still forwards',
    'hash collision replaces entry',
  ]

  it.each(vectors.filter((vector) => !deviations.includes(vector.case)))('forwards as recorded: $case', (vector) => {
    expect(replay(vector, {})).toEqual(vector.steps)
  })

  it('keeps the customer tag between qinq ports', () => {
    const [step] = replay(findVector('qinq to qinq same outer (dynamips pops the customer tag)'), {})
    expect(step).toMatchObject({ out: { 2: ['ffffffffffff020000000001810000070800abcd'] } })
  })

  it('sends nothing into a VLAN that the port has left', () => {
    const steps = replay(findVector('stale mac after vlan change still forwards'), {})
    expect(steps[2]).toMatchObject({ out: {} })
  })

  it('keeps addresses that share a slot in dynamips', () => {
    const steps = replay(findVector('hash collision replaces entry'), {})
    expect(steps[2]).toMatchObject({ out: { 2: ['0200000000020200000000010800abcd'] } })
    expect(steps[3]).toMatchObject({ reply: expect.stringContaining('0200.0000.0002  10  n2') })
  })
})
