import * as v from 'valibot'

/** The checks and answers that all servers share. */
export const thingParams = v.object({ id: v.pipe(v.string(), v.minLength(1)) })

export const thingBody = v.object({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  size: v.pipe(v.number(), v.integer(), v.minValue(0)),
  tags: v.array(v.string()),
  owner: v.object({ name: v.string(), email: v.string() }),
})

export const thing = v.object({ id: v.string(), ...thingBody.entries })

export type Thing = v.InferOutput<typeof thing>

export const readThing = (id: string): Thing => ({
  id,
  name: 'A thing that someone keeps',
  size: 4711,
  tags: ['one', 'two', 'three'],
  owner: { name: 'Someone', email: 'someone@example.org' },
})

export const event = v.object({ index: v.number(), text: v.string() })

const EVENTS = 20

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Yields events one by one, like those of an upstream. */
export async function* events(): AsyncGenerator<v.InferOutput<typeof event>> {
  for (let index = 0; index < EVENTS; index += 1) {
    await turn()
    yield { index, text: 'a token or two' }
  }
}

/** Pushes the same events as bytes. */
export function pushEvents(write: (chunk: string) => void, end: () => void): void {
  let index = 0
  const next = () => {
    if (index === EVENTS) return end()
    write(`data: ${JSON.stringify({ index, text: 'a token or two' })}\n\n`)
    index += 1
    setImmediate(next)
  }
  setImmediate(next)
}
