import { expect, it } from 'vitest'
import { markStoreFailures, StoreFailure } from './store-failure.ts'

class Counter {
  #count = 0

  get count(): number {
    return this.#count
  }

  add(): number {
    this.#count += 1
    return this.#count
  }

  async addLater(): Promise<number> {
    return this.add()
  }

  fail(): Promise<never> {
    return Promise.reject(new Error('down'))
  }

  failAtOnce(): Promise<never> {
    throw new Error('down')
  }
}

it('returns the results of methods, synchronous or not, and the values of other members', async () => {
  const { counter } = markStoreFailures({ counter: new Counter() })
  expect(counter.add()).toBe(1)
  expect(await counter.addLater()).toBe(2)
  expect(counter.count).toBe(2)
})

it.each([
  'fail',
  'failAtOnce',
] as const)('turns the error of `%s` into a rejection with a store failure', async (name) => {
  const { counter } = markStoreFailures({ counter: new Counter() })
  const failed = await counter[name]().catch((error: unknown) => error)
  expect(StoreFailure.is(failed)).toBe(true)
  expect(failed).toMatchObject({ cause: { message: 'down' } })
})

it('calls the new method where one was replaced after the wrapping', async () => {
  const store = { find: async () => 1 }
  const { marked } = markStoreFailures({ marked: store })
  store.find = async () => 2
  expect(await marked.find()).toBe(2)
})

it('calls a getter only when it is read', () => {
  const store = {
    get connection(): string {
      throw new Error('not open yet')
    },
    find: () => 1,
  }
  const { marked } = markStoreFailures({ marked: store })
  expect(marked.find()).toBe(1)
  expect(() => marked.connection).toThrow('not open yet')
})

it('leaves out absent members', () => {
  const store: { readonly find?: () => Promise<number> } = {}
  expect(markStoreFailures({ store, other: undefined })).toEqual({ store: {}, other: undefined })
})
