import { describe, expect, it } from 'vitest'
import type { ConversationId } from '../responses/conversation-id.ts'
import type { ResponseEnding, ResponseRepository } from '../responses/response-repository.ts'
import type { ResponseId, ResponseOwner, StoredResponse } from '../responses/stored-response.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const owner = 'key:1' as ResponseOwner // owners and ids are opaque here
/** The longest owner. */
const other = `user:${"ü's%_🦉\\\\".padEnd(128, 'ü')}` as ResponseOwner // as above
const noon = Date.UTC(2026, 0, 2, 12)
const at = (seconds: number) => new Date(noon + seconds * 1_000)
const limits = { maxResponses: 1_000, maxBytes: 1_000_000 }
const id = (number: number) => `resp_${number}` as ResponseId // as above

const stored = (number: number, more: Partial<StoredResponse> = {}): StoredResponse => ({
  id: id(number),
  owner,
  createdAt: at(number),
  expiresAt: at(1_000 + number),
  status: 'completed',
  response: JSON.stringify({ id: id(number), text: "ü's \\ 🦉 \u2028" }),
  input: '[]',
  bytes: 10,
  background: false,
  ...more,
})

const running = (number: number): StoredResponse =>
  stored(number, { status: 'in_progress', background: true, leaseUntil: at(30) })

const ending = (more: Partial<ResponseEnding> = {}): ResponseEnding => ({
  status: 'completed',
  response: '{"done":true}',
  bytes: 20,
  outputIds: [],
  ...more,
})

/** Registers vitest cases for a `ResponseRepository`, with simultaneous changes of several replicas. Each opens an empty store. */
export function responseRepositoryConformance(open: OpenReplicas<ResponseRepository>): void {
  describe('response repository', () => {
    it('finds a response as it was saved, for its owner only', async () => {
      const responses = await openOne(open)
      const whole = stored(1, { previousId: id(0), conversationId: 'conv_1' as ConversationId }) // as above
      expect(await responses.save(whole, [], limits)).toBe('saved')
      expect(await responses.save(stored(2, { owner: other, leaseUntil: at(5) }), [], limits)).toBe('saved')
      expect(await responses.find(id(1), owner, at(2))).toEqual(whole)
      expect(await responses.find(id(2), other, at(2))).toEqual(stored(2, { owner: other, leaseUntil: at(5) }))
      expect(await responses.find(id(1), other, at(2))).toBeUndefined()
      expect(await responses.find(id(1), undefined, at(2))).toEqual(whole)
      expect(await responses.find(id(3), owner, at(2))).toBeUndefined()
    })

    it('keeps texts of several megabytes', async () => {
      const responses = await openOne(open)
      const large = stored(1, { response: JSON.stringify('ü'.repeat(2_000_000)), bytes: 4_000_002 })
      await responses.save(large, [], { maxResponses: 1, maxBytes: 2 ** 30 })
      expect(await responses.find(id(1), owner, at(2))).toEqual(large)
    })

    it('refuses an id that exists, also of another owner', async () => {
      const responses = await openOne(open)
      await responses.save(stored(1), [], limits)
      expect(await responses.save(stored(1, { owner: other, response: '{}' }), [], limits)).toBe('id-taken')
      expect(await responses.find(id(1), undefined, at(2))).toEqual(stored(1))
    })

    it('finds no response that has expired', async () => {
      const responses = await openOne(open)
      await responses.save(stored(1), ['msg_1'], limits)
      expect(await responses.find(id(1), owner, at(1_000.999))).toEqual(stored(1))
      expect(await responses.find(id(1), owner, at(1_001))).toBeUndefined()
      expect(await responses.findByOutput('msg_1', owner, at(1_001))).toBeUndefined()
      expect(await responses.remove(id(1), owner, at(1_001))).toBe(false)
    })

    it('removes a response for its owner only, and once', async () => {
      const responses = await openOne(open)
      await responses.save(stored(1), ['msg_1'], limits)
      expect(await responses.remove(id(1), other, at(2))).toBe(false)
      expect(await responses.remove(id(1), owner, at(2))).toBe(true)
      expect(await responses.remove(id(1), owner, at(2))).toBe(false)
      expect(await responses.findByOutput('msg_1', owner, at(2))).toBeUndefined()
      await responses.save(stored(2, { owner: other }), [], limits)
      expect(await responses.remove(id(2), undefined, at(2))).toBe(true)
    })

    it('finds the newest response of an owner by an item of its output', async () => {
      const responses = await openOne(open)
      await responses.save(stored(1), ['msg_1', 'msg_1', 'rs_1'], limits)
      await responses.save(stored(2), ['msg_1'], limits)
      await responses.save(stored(3, { owner: other }), ['msg_1'], limits)
      expect(await responses.findByOutput('msg_1', owner, at(4))).toEqual(stored(2))
      expect(await responses.findByOutput('rs_1', owner, at(4))).toEqual(stored(1))
      expect(await responses.findByOutput('rs_1', other, at(4))).toBeUndefined()
      expect(await responses.findByOutput('rs_2', owner, at(4))).toBeUndefined()
    })

    it('removes the oldest responses of an owner beyond the number and the bytes', async () => {
      const responses = await openOne(open)
      await responses.save(stored(0, { owner: other }), [], limits)
      for (const number of [1, 2, 3]) await responses.save(stored(number), [], { maxResponses: 2, maxBytes: 1_000 })
      expect(await present(responses)).toEqual([0, 2, 3])
      await responses.save(stored(4, { bytes: 15 }), [], { maxResponses: 100, maxBytes: 25 })
      expect(await present(responses)).toEqual([0, 3, 4])
      await responses.save(stored(5, { bytes: 100 }), [], { maxResponses: 100, maxBytes: 25 })
      expect(await present(responses)).toEqual([0, 5])
    })

    it('counts what was removed no longer', async () => {
      const responses = await openOne(open)
      const two = { maxResponses: 2, maxBytes: 1_000 }
      await responses.save(stored(1), [], two)
      await responses.save(stored(2), [], two)
      await responses.remove(id(2), owner, at(3))
      await responses.save(stored(3), [], two)
      expect(await present(responses)).toEqual([1, 3])
      await responses.removeExpired(at(1_001))
      await responses.save(stored(4), [], two)
      expect(await present(responses)).toEqual([3, 4])
    })

    it('keeps to the limits when replicas save at the same time', async () => {
      const replica = alternating(await open(3))
      const saves = Array.from({ length: 9 }, (_, number) =>
        replica(number).save(stored(number), [`msg_${number}`], { maxResponses: 4, maxBytes: 1_000 }),
      )
      expect(await Promise.all(saves)).toEqual(Array(9).fill('saved'))
      expect(await present(replica(0))).toHaveLength(4)
    })

    it('ends a running response once, however many replicas end it', async () => {
      const replica = alternating(await open(3))
      await replica(0).save(running(1), [], limits)
      const endings = await Promise.all(
        Array.from({ length: 6 }, (_, number) =>
          replica(number).finish(id(1), ending({ response: `${number}`, outputIds: ['msg_1'] })),
        ),
      )
      const winner = endings.indexOf(true)
      expect(endings.filter((ended) => ended)).toHaveLength(1)
      const { leaseUntil: _, ...rest } = running(1)
      const ended = { ...rest, status: 'completed', response: `${winner}`, bytes: 20 }
      expect(await replica(0).find(id(1), owner, at(2))).toEqual(ended)
      expect(await replica(0).findByOutput('msg_1', owner, at(2))).toEqual(ended)
    })

    it('finds a response that runs with its status, until it is ended', async () => {
      const responses = await openOne(open)
      for (const status of ['queued', 'in_progress'] as const) {
        const waiting = { ...running(1), status }
        await responses.save(waiting, [], limits)
        expect(await responses.find(id(1), owner, at(2))).toEqual(waiting)
        expect(await responses.finish(id(1), ending())).toBe(true)
        expect(await responses.find(id(1), owner, at(2))).toMatchObject({ status: 'completed' })
        await responses.remove(id(1), owner, at(2))
      }
    })

    it('ends only a response that runs', async () => {
      const responses = await openOne(open)
      await responses.save(stored(1), [], limits)
      await responses.save(stored(2, { status: 'queued', background: true, leaseUntil: at(5) }), [], limits)
      expect(await responses.finish(id(1), ending())).toBe(false)
      expect(await responses.finish(id(2), ending({ status: 'cancelled' }))).toBe(true)
      expect(await responses.finish(id(3), ending())).toBe(false)
      expect(await responses.find(id(1), owner, at(2))).toEqual(stored(1))
    })

    it('renews the lease of a response that runs, and no other', async () => {
      const responses = await openOne(open)
      await responses.save(running(1), [], limits)
      expect(await responses.renewLease(id(1), at(60))).toBe(true)
      expect(await responses.find(id(1), owner, at(2))).toEqual({ ...running(1), leaseUntil: at(60) })
      await responses.finish(id(1), ending({ status: 'cancelled' }))
      expect(await responses.renewLease(id(1), at(90))).toBe(false)
      expect(await responses.renewLease(id(2), at(90))).toBe(false)
    })

    it('ends a response by its lease only after the lease has ended', async () => {
      const responses = await openOne(open)
      await responses.save(running(1), [], limits)
      expect(await responses.finish(id(1), ending({ status: 'failed' }), at(29.999))).toBe(false)
      expect(await responses.finish(id(1), ending({ status: 'failed' }), at(30))).toBe(true)
    })

    it('counts the bytes of the end of a response', async () => {
      const responses = await openOne(open)
      await responses.save(running(1), [], limits)
      await responses.finish(id(1), ending({ bytes: 90 }))
      await responses.save(stored(2), [], { maxResponses: 100, maxBytes: 99 })
      expect(await present(responses)).toEqual([2])
    })

    it('removes what has expired, and not what had expired before the given time', async () => {
      const responses = await openOne(open)
      for (let number = 0; number < 250; number += 1) await responses.save(stored(number), [`m_${number}`], limits)
      expect(await responses.removeExpired(at(1_009), at(1_005))).toBe(5)
      expect(await responses.removeExpired(at(1_239))).toBe(235)
      expect(await responses.removeExpired(at(1_239))).toBe(0)
      expect(await present(responses, 250)).toEqual([240, 241, 242, 243, 244, 245, 246, 247, 248, 249])
    })
  })
}

/** Returns the numbers of the responses that exist. */
async function present(responses: ResponseRepository, most = 10): Promise<readonly number[]> {
  const numbers = Array.from({ length: most }, (_, number) => number)
  const found = await Promise.all(numbers.map((number) => responses.find(id(number), undefined, at(0))))
  return numbers.filter((number) => found[number] !== undefined)
}
