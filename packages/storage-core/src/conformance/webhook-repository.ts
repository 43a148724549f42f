import { describe, expect, it } from 'vitest'
import type { Notice } from '../notices/notice.ts'
import { everything, oneOf } from '../query/query.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { ClaimedDelivery, WebhookRepository } from '../webhooks/webhook-repository.ts'
import { aNotice, aWebhook, later, ruleId, start, volumeId, webhookId } from './records.ts'
import { alternating, type OpenReplicas, openOne } from './replicas.ts'

const LEASE_MS = 1000
const firstPage = { query: everything, order: [], limit: 100 }
const claim = (owner: string, at = 0) => ({
  owner,
  now: later(at),
  leaseUntil: later(at + LEASE_MS),
  longestWait: later(at + 100_000),
})

const held = async (webhooks: WebhookRepository, at = 0): Promise<ClaimedDelivery> => {
  const claimed = await webhooks.claim(claim('a', at))
  if (!claimed) throw new Error('Nothing was claimed')
  return claimed
}

const ofLimit = (number: number, changes: Partial<Notice> = {}) =>
  aNotice(number, { kind: 'soft-limit-exceeded', rule: ruleId(1), limit: 'spaceSoft', ...changes })

/** Registers Vitest cases for the webhooks of one store, and for their deliveries. */
export function webhookRepositoryConformance(open: OpenReplicas<StorageRepositories>): void {
  const openWith = async (...added: readonly Parameters<typeof aWebhook>[1][]) => {
    const repositories = await openOne(open)
    for (const [index, changes] of added.entries()) {
      await repositories.webhooks.add(aWebhook(index + 1, changes), `secret${index + 1}`, 100)
    }
    return repositories
  }
  const numbersOf = async ({ webhooks }: StorageRepositories, number = 1) =>
    (await webhooks.listDeliveries(webhookId(number), firstPage)).records.map(({ noticeId }) => noticeId)

  describe('webhook repository', () => {
    it('stores webhooks, and their secrets apart', async () => {
      const { webhooks } = await openOne(open)
      const webhook = aWebhook(1, { name: 'chat', kinds: ['test'], volumes: [volumeId(1)], holdoffSeconds: 60 })
      expect(await webhooks.add(webhook, 'whsec_x', 2)).toBe('added')
      expect(await webhooks.find(webhookId(1))).toEqual(webhook)
      expect(await webhooks.secretOf(webhookId(1))).toBe('whsec_x')
      expect(await webhooks.add(aWebhook(2), 'whsec_y', 2)).toBe('added')
      expect(await webhooks.list(firstPage)).toEqual({ records: [webhook, aWebhook(2)] })
      expect(await webhooks.count({ all: [oneOf('name', ['chat'])] })).toBe(1)
      expect(await webhooks.find(webhookId(3))).toBeUndefined()
      expect(await webhooks.secretOf(webhookId(3))).toBeUndefined()
    })

    it('adds no more webhooks than the maximum, from any number of processes', async () => {
      const of = alternating(await open(4))
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, (_, index) => of(index).webhooks.add(aWebhook(index), 's', 5)),
      )
      expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(5)
      expect(await of(1).webhooks.count(everything)).toBe(5)
    })

    it('changes the given members of a webhook', async () => {
      const { webhooks } = await openWith({ name: 'chat' })
      const changed = { ...aWebhook(1, { name: 'chat' }), url: 'https://h/', enabled: false }
      expect(await webhooks.change(webhookId(1), { url: 'https://h/', enabled: false })).toEqual(changed)
      expect(await webhooks.find(webhookId(1))).toEqual(changed)
      expect(await webhooks.change(webhookId(2), { enabled: false })).toBeUndefined()
    })

    it('removes a webhook with its deliveries', async () => {
      const repositories = await openWith({}, {})
      const { webhooks, notices } = repositories
      await notices.publish(aNotice(1), start)
      expect(await webhooks.remove(webhookId(1))).toBe(true)
      expect(await webhooks.remove(webhookId(1))).toBe(false)
      expect(await webhooks.countDeliveries(webhookId(1), everything)).toBe(0)
      expect(await numbersOf(repositories, 2)).toEqual([aNotice(1).id])
    })

    it('adds a delivery for each enabled webhook that receives the notice', async () => {
      const repositories = await openWith(
        {},
        { enabled: false },
        { kinds: ['soft-limit-exceeded'] },
        { volumes: [volumeId(2)] },
        { volumes: [volumeId(2), volumeId(1)] },
      )
      await repositories.notices.publish(aNotice(1), later(5))
      await repositories.notices.publish(aNotice(1), later(6))
      const counts = await Promise.all([1, 2, 3, 4, 5].map((number) => numbersOf(repositories, number)))
      expect(counts.map(({ length }) => length)).toEqual([1, 0, 0, 0, 1])
      const { records } = await repositories.webhooks.listDeliveries(webhookId(1), firstPage)
      expect(records).toEqual([
        {
          noticeNumber: expect.any(Number),
          noticeId: aNotice(1).id,
          kind: 'split-done',
          state: 'pending',
          dueAt: later(5),
          tries: 0,
        },
      ])
    })

    it('hands out the deliveries of a webhook one at a time, in the order of the notices', async () => {
      const repositories = await openWith({})
      const { webhooks, notices } = repositories
      for (const number of [3, 1, 2]) await notices.publish(aNotice(number), start)
      for (const number of [3, 1, 2]) {
        const claimed = await held(webhooks)
        expect(claimed).toMatchObject({ webhook: aWebhook(1), secret: 'secret1', notice: aNotice(number) })
        expect(await webhooks.claim(claim('b'))).toBeUndefined()
        expect(await webhooks.settle(claimed, 'a', { type: 'delivered' }, start)).toBe(true)
      }
      expect(await webhooks.claim(claim('a', 2))).toBeUndefined()
      expect(await numbersOf(repositories)).toEqual([])
    })

    it('gives each webhook to one of many workers', async () => {
      const of = alternating(await open(4))
      for (let number = 1; number <= 6; number += 1) await of(0).webhooks.add(aWebhook(number), 's', 100)
      for (let number = 1; number <= 3; number += 1) await of(number).notices.publish(aNotice(number), start)
      const claimed = await Promise.all(
        Array.from({ length: 12 }, (_, index) => of(index).webhooks.claim(claim(`${index}`))),
      )
      const uuids = claimed.flatMap((one) => one?.webhook.uuid ?? [])
      expect(uuids).toHaveLength(6)
      expect(new Set(uuids).size).toBe(6)
    })

    it('prefers the webhook that was held longest ago', async () => {
      const { webhooks, notices } = await openWith({}, {})
      for (const number of [1, 2, 3]) await notices.publish(aNotice(number), start)
      const order: string[] = []
      for (let time = 1; time <= 4; time += 1) {
        const claimed = await held(webhooks, time)
        order.push(claimed.webhook.uuid)
        await webhooks.settle(claimed, 'a', { type: 'delivered' }, later(time))
      }
      expect(order).toEqual([webhookId(1), webhookId(2), webhookId(1), webhookId(2)])
    })

    it('retries the same delivery after the wait, before later notices', async () => {
      const { webhooks, notices } = await openWith({})
      for (const number of [1, 2]) await notices.publish(aNotice(number), start)
      const failed = { type: 'failed', failure: 'It failed.', status: 500, retryAt: later(5000) } as const
      expect(await webhooks.settle(await held(webhooks), 'a', failed, later(10))).toBe(true)
      expect(await webhooks.claim(claim('b', 4999))).toBeUndefined()
      const { records } = await webhooks.listDeliveries(webhookId(1), firstPage)
      expect(records).toMatchObject([
        { noticeId: aNotice(1).id, state: 'pending', tries: 1, triedAt: later(10), status: 500, failure: 'It failed.' },
        { noticeId: aNotice(2).id, tries: 0 },
      ])
      const again = await held(webhooks, 5000)
      expect(again).toMatchObject({ notice: aNotice(1), delivery: { tries: 1 } })
      await webhooks.settle(again, 'a', { ...failed, failure: 'Other.', retryAt: later(6000) }, later(5001))
      const { records: after } = await webhooks.listDeliveries(webhookId(1), firstPage)
      expect(after[0]).toMatchObject({ tries: 2, failure: 'Other.' })
    })

    it('keeps a dead delivery, continues with the next, and delivers it on request', async () => {
      const { webhooks, notices } = await openWith({})
      for (const number of [1, 2]) await notices.publish(aNotice(number), start)
      const first = await held(webhooks)
      await webhooks.settle(first, 'a', { type: 'dead', failure: 'It failed.' }, later(1))
      const dead = { all: [oneOf('state', ['dead'])] } as const
      expect(await webhooks.countDeliveries(webhookId(1), dead)).toBe(1)
      const second = await held(webhooks, 1)
      expect(second.notice).toEqual(aNotice(2))
      const failed = { type: 'failed', failure: 'It failed.', retryAt: later(90_000) } as const
      await webhooks.settle(second, 'a', failed, later(2))
      expect(await webhooks.retry(webhookId(1), first.delivery.noticeNumber, later(3))).toBe(true)
      expect(await webhooks.retry(webhookId(1), first.delivery.noticeNumber, later(3))).toBe(true)
      expect(await webhooks.retry(webhookId(1), 999_999, later(3))).toBe(false)
      expect(await webhooks.retry(webhookId(2), first.delivery.noticeNumber, later(3))).toBe(false)
      expect(await held(webhooks, 3)).toMatchObject({ notice: aNotice(1), delivery: { tries: 0, state: 'pending' } })
    })

    it('disables a webhook that is closed, and continues with its deliveries when it is enabled', async () => {
      const { webhooks, notices } = await openWith({})
      await notices.publish(aNotice(1), start)
      await webhooks.settle(
        await held(webhooks),
        'a',
        { type: 'closed', failure: 'No longer there.', status: 410 },
        start,
      )
      expect(await webhooks.find(webhookId(1))).toEqual(aWebhook(1, { enabled: false }))
      await notices.publish(aNotice(2), start)
      expect(await webhooks.claim(claim('a', 1))).toBeUndefined()
      await webhooks.change(webhookId(1), { enabled: true })
      expect(await held(webhooks, 1)).toMatchObject({ notice: aNotice(1), delivery: { tries: 1, status: 410 } })
      expect(await webhooks.countDeliveries(webhookId(1), everything)).toBe(1)
    })

    it('hands out a delivery again when its lease ends, or its owner has ended', async () => {
      const of = alternating(await open(2))
      await of(0).webhooks.add(aWebhook(1), 's', 100)
      await of(0).notices.publish(aNotice(1), start)
      const first = await held(of(0).webhooks)
      expect(await of(1).webhooks.owners(later(1))).toEqual(['a'])
      expect(await of(1).webhooks.claim(claim('b', LEASE_MS - 1))).toBeUndefined()
      await of(1).webhooks.endLeases('a', later(1))
      expect(await of(1).webhooks.owners(later(1))).toEqual([])
      expect(await of(0).webhooks.settle(first, 'a', { type: 'delivered' }, later(2))).toBe(false)
      const second = await of(1).webhooks.claim(claim('b', 2))
      expect(second?.notice).toEqual(aNotice(1))
      expect(await of(0).webhooks.settle(first, 'a', { type: 'delivered' }, later(3))).toBe(false)
      expect(await of(0).webhooks.claim(claim('c', LEASE_MS + 2))).toMatchObject({ notice: aNotice(1) })
    })

    it('hands out a delivery again whose lease or wait was taken with a clock far ahead', async () => {
      const { webhooks, notices } = await openWith({})
      await notices.publish(aNotice(1), start)
      const ahead = await held(webhooks, 30 * 86_400_000)
      const retryAt = later(31 * 86_400_000)
      expect(await webhooks.claim(claim('b'))).toMatchObject({ notice: aNotice(1) })
      expect(await webhooks.settle(ahead, 'a', { type: 'interrupted' }, start)).toBe(false)
      await webhooks.endLeases('b', start)
      await webhooks.settle(await held(webhooks), 'a', { type: 'failed', failure: 'It failed.', retryAt }, start)
      expect(await webhooks.claim(claim('b', 1))).toMatchObject({ notice: aNotice(1) })
    })

    it('leaves a try uncounted that was interrupted', async () => {
      const { webhooks, notices } = await openWith({})
      await notices.publish(aNotice(1), start)
      expect(await webhooks.settle(await held(webhooks), 'a', { type: 'interrupted' }, start)).toBe(true)
      expect((await held(webhooks)).delivery).not.toHaveProperty('triedAt')
    })

    it('leaves the latest of the notices of one limit within a hold-off, from the first one on', async () => {
      const repositories = await openWith({ holdoffSeconds: 10 })
      const { webhooks, notices } = repositories
      await notices.publish(ofLimit(1), start)
      await notices.publish(ofLimit(2, { kind: 'soft-limit-normal' }), later(4000))
      await notices.publish(ofLimit(3, { rule: ruleId(2) }), later(4000))
      await notices.publish(ofLimit(4), later(9999))
      await notices.publish(aNotice(5), later(9999))
      await notices.publish(aNotice(6), later(9999))
      expect(await numbersOf(repositories)).toEqual([3, 4, 5, 6].map((number) => aNotice(number).id))
      expect((await held(webhooks, 9999)).notice.id).toBe(aNotice(5).id)
      await webhooks.endLeases('a', later(9999))
      const claimed = await held(webhooks, 10_000)
      expect(claimed.notice).toEqual(ofLimit(4))
      await notices.publish(ofLimit(7), later(10_000))
      expect(await numbersOf(repositories)).toEqual([3, 4, 5, 6, 7].map((number) => aNotice(number).id))
      const { records } = await webhooks.listDeliveries(webhookId(1), firstPage)
      expect(records.at(-1)?.dueAt).toEqual(later(20_000))
    })

    it('removes deliveries with their notices', async () => {
      const repositories = await openWith({}, {})
      for (const number of [1, 2, 3]) await repositories.notices.publish(aNotice(number), start)
      expect(await repositories.notices.trim(start, 1)).toBe(2)
      expect(await numbersOf(repositories, 1)).toEqual([aNotice(3).id])
      expect(await numbersOf(repositories, 2)).toEqual([aNotice(3).id])
    })
  })
}
