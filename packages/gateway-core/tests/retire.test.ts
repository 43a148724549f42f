import { createGateway } from '@trivium/gateway-core'
import { memoryGatewayRepositories } from '@trivium/gateway-core/memory'
import type { Provider } from '@trivium/gateway-core/ports'
import { describe, expect, it, vi } from 'vitest'

const caller = { type: 'admin' } as const
const call = (requestId: string) => ({ requestId, caller, signal: new AbortController().signal })

/** An upstream whose answers wait until they are released. */
function waitingProvider() {
  const released = Promise.withResolvers<void>()
  const completion = {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  } as const
  const provider: Provider = {
    id: 'slow',
    models: async () => [{ id: 'm', kind: 'chat', ownedBy: 'slow', created: 0 }],
    chat: {
      complete: async () => {
        await released.promise
        return { kind: 'completion', completion }
      },
      stream: () => Promise.reject(new Error('not used')),
    },
  }
  return { provider, release: released.resolve }
}

describe('retire', () => {
  it('waits for responses in the background, which continue, and answers requests meanwhile', async () => {
    const { provider, release } = waitingProvider()
    const gateway = createGateway({ providers: [provider], repositories: memoryGatewayRepositories() })
    await gateway.start()
    const body = { model: 'slow/m', input: 'Hi', background: true }
    const started = await gateway.responses.complete(call('one'), { body })
    const { id } = started._unsafeUnwrap().answer.value
    expect(gateway.storedResponses.runs(String(id))).toBe(true)

    const onRetired = vi.fn()
    const retired = gateway.retire().then(onRetired)
    expect((await gateway.models.find('slow/m')).isOk()).toBe(true)
    expect(onRetired).not.toHaveBeenCalled()
    release()
    await retired
    expect(gateway.storedResponses.runs(String(id))).toBe(false)
    const stored = await gateway.storedResponses.find(caller, String(id))
    expect(JSON.parse(stored._unsafeUnwrap())).toMatchObject({ status: 'completed' })
    await gateway.close()
  })

  it('ends the removal of old records immediately, and may be repeated', async () => {
    vi.useFakeTimers()
    try {
      const repositories = memoryGatewayRepositories()
      const removed = vi.spyOn(repositories.usage, 'removeBefore')
      const unfinished = vi.spyOn(repositories.budgets, 'unfinished')
      const gateway = createGateway({ providers: [waitingProvider().provider], repositories })
      await gateway.start()
      await gateway.retire()
      await gateway.retire()
      const before = unfinished.mock.calls.length
      await vi.advanceTimersByTimeAsync(3_600_000)
      expect(removed).not.toHaveBeenCalled()
      expect(unfinished.mock.calls.length).toBe(before)
      await gateway.close()
    } finally {
      vi.useRealTimers()
    }
  })
})
