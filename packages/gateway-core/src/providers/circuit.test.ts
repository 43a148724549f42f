import { describe, expect, it } from 'vitest'
import { type Circuit, createCircuit } from './circuit.ts'

/** What the tasks of these tests throw: whether it counts as a failure. */
class Outcome extends Error {
  readonly isFailure: boolean | undefined
  constructor(isFailure: boolean | undefined) {
    super('outcome')
    this.isFailure = isFailure
  }
}

function watched(options: { readonly failures?: number; readonly coolDownSeconds?: number }) {
  const events: string[] = []
  const circuit = createCircuit(options, {
    isFailure: (thrown) => (thrown instanceof Outcome ? thrown.isFailure : true),
    onOpened: () => events.push('opened'),
    onClosed: () => events.push('closed'),
  })
  return { circuit, events }
}

const end = (circuit: Circuit, isFailure: boolean | undefined) =>
  circuit.run(() => Promise.reject(new Outcome(isFailure))).catch(() => undefined)
const succeed = (circuit: Circuit) => circuit.run(async () => 'done')

/** A circuit that is open and admits a trial. */
async function opened() {
  const { circuit, events } = watched({ failures: 1, coolDownSeconds: 0 })
  await end(circuit, true)
  return { circuit, events }
}

describe('a circuit', () => {
  it('opens after consecutive failures, which a success ends and another refusal does not', async () => {
    const { circuit, events } = watched({ failures: 2 })
    await end(circuit, true)
    await succeed(circuit)
    await end(circuit, true)
    await end(circuit, false)
    await end(circuit, undefined)
    expect([circuit.state, circuit.nextCallAt]).toEqual(['closed', undefined])
    await end(circuit, true)
    expect([circuit.state, events]).toEqual(['open', ['opened']])
    expect(circuit.nextCallAt?.getTime()).toBeGreaterThan(Date.now())
  })

  it('passes results and rejections on', async () => {
    const { circuit } = watched({})
    expect(await succeed(circuit)).toBe('done')
    await expect(circuit.run(() => Promise.reject(new Outcome(true)))).rejects.toThrow('outcome')
  })

  it('closes after a trial that succeeds', async () => {
    const { circuit, events } = await opened()
    expect(await succeed(circuit)).toBe('done')
    expect([circuit.state, events]).toEqual(['closed', ['opened', 'closed']])
  })

  it('closes after a trial whose rejection does not count', async () => {
    const { circuit, events } = await opened()
    await end(circuit, false)
    expect([circuit.state, events]).toEqual(['closed', ['opened', 'closed']])
  })

  it('opens again after a trial that fails', async () => {
    const { circuit, events } = await opened()
    await end(circuit, true)
    expect([circuit.state, events]).toEqual(['open', ['opened', 'opened']])
  })

  it('admits another trial after one that was cancelled, without an event', async () => {
    const { circuit, events } = await opened()
    await end(circuit, undefined)
    expect([circuit.state, circuit.nextCallAt, events]).toEqual(['open', undefined, ['opened']])
    await succeed(circuit)
    expect(circuit.state).toBe('closed')
  })

  it('admits one trial, whose outcome decides about calls that arrive meanwhile', async () => {
    const { circuit } = await opened()
    const answer = Promise.withResolvers<string>()
    const first = circuit.run(() => answer.promise)
    let began = 0
    const second = circuit.run(async () => {
      began += 1
      return 'second'
    })
    expect([circuit.state, began]).toEqual(['half-open', 0])
    expect(circuit.nextCallAt?.getTime()).toBeGreaterThan(Date.now())
    answer.resolve('first')
    expect(await Promise.all([first, second])).toEqual(['first', 'second'])
    expect([circuit.state, began]).toEqual(['closed', 1])
  })
})
