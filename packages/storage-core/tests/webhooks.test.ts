import { createHmac } from 'node:crypto'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { Webhook as Verifier } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import type { Notice } from '../src/notices/notice.ts'
import { everything } from '../src/query/query.ts'
import { type Scheduler, timerScheduler } from '../src/scheduling/scheduler.ts'
import type { CreateWebhook } from '../src/webhooks/webhooks.ts'
import { createQtree, ended, type OpenStorage, openStorage, setQuota, until } from './open-storage.ts'
import { openReceiver, type Receiver, status } from './receiver.ts'

const firstPage = { query: everything, order: [], limit: 1000 }

const notice = (open: OpenStorage, number: number, changes: Partial<Notice> = {}): Notice => ({
  id: `notice-${number}`,
  kind: 'split-done',
  at: open.clock.now(),
  svm: open.vol1.svm,
  volume: { uuid: open.vol1.uuid, name: open.vol1.name },
  path: `clones/c${number}`,
  ...changes,
})

async function addWebhook({ storage }: OpenStorage, request: CreateWebhook) {
  return (await storage.webhooks.create(request))._unsafeUnwrap()
}

const publish = async (open: OpenStorage, ...numbers: readonly number[]) => {
  for (const number of numbers) await open.storage.notices.publish(notice(open, number))
}

const deliveries = async ({ storage }: OpenStorage, uuid: string) =>
  (await storage.webhooks.listDeliveries(uuid, firstPage)).records

const ids = ({ received }: Receiver) => received.map(({ id }) => id)

const count = ({ emitted }: OpenStorage, name: string): number => emitted.filter(([one]) => one === name).length

/** Timers of more than a second end when they are fired. */
function heldTimers() {
  const held = new Set<() => void>()
  const scheduler: Scheduler = {
    after: (milliseconds, run) => {
      if (milliseconds <= 1000) return timerScheduler.after(milliseconds, run)
      held.add(run)
      return () => held.delete(run)
    },
  }
  return { scheduler, fire: () => [...held].map((run) => run()) }
}

describe('a webhook', () => {
  it('gets a signed notice that an independent implementation verifies', async () => {
    const open = await openStorage({ clock: { now: () => new Date(), advance: () => {} } })
    const receiver = await openReceiver()
    const { secret = '' } = await addWebhook(open, { url: receiver.url })
    await publish(open, 1)
    await receiver.arrived(1)
    const [one] = receiver.received
    if (!one) throw new Error('Nothing was received')
    const {
      'webhook-id': id = '',
      'webhook-timestamp': timestamp = '',
      'webhook-signature': signature = '',
    } = one.headers
    const headers = { 'webhook-id': `${id}`, 'webhook-timestamp': `${timestamp}`, 'webhook-signature': `${signature}` }
    expect(new Verifier(secret).verify(one.body, headers)).toEqual({
      type: 'split.done',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        svm: { uuid: open.vol1.svm.uuid, name: 'svm1' },
        volume: { uuid: open.vol1.uuid, name: 'vol1' },
        path: 'clones/c1',
      },
    })
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    expect(key).toHaveLength(32)
    const expected = createHmac('sha256', key).update(`notice-1.${timestamp}.${one.body}`).digest('base64')
    expect(signature).toBe(`v1,${expected}`)
    expect(() => new Verifier(secret).verify(`${one.body} `, headers)).toThrow()
    expect(one.headers['content-type']).toBe('application/json')
  })

  it('gets an id that no header can have in the form of URLs', async () => {
    const open = await openStorage()
    const receiver = await openReceiver()
    await addWebhook(open, { url: receiver.url })
    await open.storage.notices.publish({ ...notice(open, 1), id: 'a b\r\nx-injected: 1/ä\ud800' })
    await until(() => count(open, 'webhook.delivered') === 1)
    expect(ids(receiver)).toEqual(['a%20b%0D%0Ax-injected:%201/%C3%A4%EF%BF%BD'])
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-injected')
  })

  it('gets each notice once and in order from a receiver that fails, hangs, redirects and comes back', async () => {
    const timers = heldTimers()
    const open = await openStorage({ scheduler: timers.scheduler, random: () => 1 })
    const elsewhere = await openReceiver()
    const receiver = await openReceiver(status(500))
    const { webhook } = await addWebhook(open, { url: receiver.url })
    await publish(open, 1, 2, 3)
    const failed = async (times: number) => {
      await until(() => count(open, 'webhook.failed') >= times)
      open.clock.advance(6 * 3600)
    }
    await failed(1)
    receiver.answerWith(() => {})
    await receiver.arrived(2)
    timers.fire()
    await failed(2)
    receiver.answerWith(status(307, { location: elsewhere.url }))
    await failed(3)
    receiver.answerWith((response) => {
      response.writeHead(503)
      // A body that never ends is not read.
      const write = (): void =>
        void (response.destroyed || response.write('x'.repeat(65_536), () => setImmediate(write)))
      write()
    })
    await failed(4)
    receiver.answerWith((response) => response.destroy())
    await failed(5)
    const accepted: string[] = []
    receiver.answerWith((response, { id }) => {
      accepted.push(id)
      response.writeHead(200).end()
    })
    await until(() => count(open, 'webhook.delivered') === 3)
    expect(accepted).toEqual(['notice-1', 'notice-2', 'notice-3'])
    expect(new Set(ids(receiver).slice(0, 6))).toEqual(new Set(['notice-1']))
    expect(elsewhere.received).toEqual([])
    expect(await deliveries(open, webhook.uuid)).toEqual([])
    expect(open.faults).toEqual([])
    expect(open.emitted.flatMap(([name, , , why]) => (name === 'webhook.failed' ? [why] : []))).toEqual([
      { reason: 'The receiver answered with status 500.', isFinal: false },
      { reason: 'The receiver did not answer within 10 seconds.', isFinal: false },
      { reason: 'The receiver answered with a redirect, which is not followed.', isFinal: false },
      { reason: 'The receiver answered with status 503.', isFinal: false },
      { reason: expect.stringMatching(/^The receiver cannot be reached: \w+\.$/), isFinal: false },
    ])
  })

  it('gives a notice up after 12 tries whose waits grow, and delivers it on request', async () => {
    const open = await openStorage({ random: () => 0 })
    const receiver = await openReceiver(status(500))
    const { webhook } = await addWebhook(open, { url: receiver.url })
    await publish(open, 1)
    const waits: number[] = []
    for (let tries = 1; tries < 12; tries += 1) {
      await until(() => count(open, 'webhook.failed') === tries)
      // Half of the longest wait, at which the next try is due.
      const wait = Math.min(2.5 * 2.5 ** (tries - 1), 3 * 3600)
      waits.push(wait)
      open.clock.advance(wait - 0.1)
      expect(
        await open.repositories.webhooks.claim({
          owner: 'other',
          now: open.clock.now(),
          leaseUntil: new Date(open.clock.now().getTime() + 30_000),
          longestWait: new Date(open.clock.now().getTime() + 1e9),
        }),
      ).toBeUndefined()
      open.clock.advance(0.2)
    }
    await until(() => count(open, 'webhook.failed') === 12)
    expect(open.emitted.findLast(([name]) => name === 'webhook.failed')?.[3]).toMatchObject({ isFinal: true })
    const [dead, ...others] = await deliveries(open, webhook.uuid)
    expect(dead).toMatchObject({ state: 'dead', tries: 12, status: 500 })
    expect(others).toEqual([])
    open.clock.advance(7 * 86_400)
    receiver.answerWith(status(204))
    await publish(open, 2)
    await until(() => count(open, 'webhook.delivered') === 1)
    expect(ids(receiver).at(-1)).toBe('notice-2')
    ;(await open.storage.webhooks.retry(webhook.uuid, dead?.noticeNumber ?? 0))._unsafeUnwrap()
    await until(() => count(open, 'webhook.delivered') === 2)
    expect(ids(receiver).at(-1)).toBe('notice-1')
    expect(waits.reduce((sum, one) => sum + one)).toBeGreaterThan(6 * 3600)
  })

  it('waits as long as the receiver demands, at most 6 hours', async () => {
    const open = await openStorage()
    const receiver = await openReceiver(status(429, { 'retry-after': '3600' }))
    await addWebhook(open, { url: receiver.url })
    await publish(open, 1)
    await until(() => count(open, 'webhook.failed') === 1)
    receiver.answerWith(status(429, { 'retry-after': '999999999' }))
    open.clock.advance(3599)
    await open.storage.webhooks.list(firstPage)
    expect(receiver.received).toHaveLength(1)
    open.clock.advance(1)
    await until(() => count(open, 'webhook.failed') === 2)
    open.clock.advance(6 * 3600)
    receiver.answerWith(status(204))
    await until(() => count(open, 'webhook.delivered') === 1)
    expect(receiver.received).toHaveLength(3)
  })

  it('ends with a receiver that answers 410, and continues when it is enabled', async () => {
    const open = await openStorage()
    const receiver = await openReceiver(status(410))
    const { webhook } = await addWebhook(open, { url: receiver.url })
    await publish(open, 1)
    await until(() => count(open, 'webhook.failed') === 1)
    expect((await open.storage.webhooks.find(webhook.uuid))._unsafeUnwrap().enabled).toBe(false)
    await publish(open, 2)
    receiver.answerWith(status(204))
    await open.storage.webhooks.change(webhook.uuid, { enabled: true })
    await until(() => count(open, 'webhook.delivered') === 1)
    expect(ids(receiver)).toEqual(['notice-1', 'notice-1'])
  })

  it('gets its notices while the receivers of others hang or refuse connections', async () => {
    const open = await openStorage({ scheduler: heldTimers().scheduler })
    const hanging = await openReceiver(() => {})
    const receiver = await openReceiver()
    await addWebhook(open, { url: hanging.url })
    await addWebhook(open, { url: 'http://127.0.0.1:1/' })
    const { webhook } = await addWebhook(open, { url: receiver.url })
    await publish(open, 1, 2, 3)
    await until(() => count(open, 'webhook.delivered') === 3)
    expect(ids(receiver)).toEqual(['notice-1', 'notice-2', 'notice-3'])
    expect(await deliveries(open, webhook.uuid)).toEqual([])
    expect(hanging.received).toHaveLength(1)
  })

  it('gets only its kinds, of its volumes', async () => {
    const open = await openStorage()
    const receiver = await openReceiver()
    await addWebhook(open, { url: receiver.url, kinds: ['enforcement-lost'], volumes: [open.vol1.uuid] })
    await publish(open, 1)
    const lost = { kind: 'enforcement-lost' } as const
    const other = { uuid: open.vol2.uuid, name: 'vol2' }
    await open.storage.notices.publish(notice(open, 2, { ...lost, volume: other }))
    await open.storage.notices.publish(notice(open, 3, lost))
    await until(() => count(open, 'webhook.delivered') === 1)
    expect(ids(receiver)).toEqual(['notice-3'])
  })

  it('gets the latest state of a limit at the end of its hold-off', async () => {
    const open = await openStorage()
    const receiver = await openReceiver()
    await addWebhook(open, { url: receiver.url, holdoffSeconds: 60 })
    for (const [number, kind] of (
      ['soft-limit-exceeded', 'soft-limit-normal', 'soft-limit-exceeded'] as const
    ).entries()) {
      await open.storage.notices.publish(notice(open, number, { kind, limit: 'spaceSoft', used: number }))
      open.clock.advance(10)
    }
    expect(receiver.received).toEqual([])
    open.clock.advance(30)
    await until(() => count(open, 'webhook.delivered') === 1)
    expect(ids(receiver)).toEqual(['notice-2'])
  })

  it('continues after a restart with what was not delivered, and repeats no delivered notice', async () => {
    const repositories = memoryStorageRepositories()
    const timers = heldTimers()
    const open = await openStorage({ repositories, scheduler: timers.scheduler })
    let answered = 0
    const receiver = await openReceiver((response) => {
      answered += 1
      if (answered === 1) response.writeHead(204).end()
    })
    await addWebhook(open, { url: receiver.url })
    await publish(open, 1, 2, 3)
    await receiver.arrived(2)
    await open.storage.close()
    receiver.answerWith(status(204))
    const next = await openStorage({ repositories, clock: open.clock })
    await until(() => count(next, 'webhook.delivered') === 2)
    expect(ids(receiver)).toEqual(['notice-1', 'notice-2', 'notice-2', 'notice-3'])
    expect(open.faults).toEqual([])
  })

  it('gets a test immediately, and the caller the answer', async () => {
    const open = await openStorage()
    const receiver = await openReceiver(status(202))
    const { webhook } = await addWebhook(open, { url: receiver.url, enabled: false })
    expect((await open.storage.webhooks.test(webhook.uuid))._unsafeUnwrap()).toEqual({ type: 'accepted', status: 202 })
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ type: 'test', data: {} })
    receiver.answerWith(status(500))
    expect((await open.storage.webhooks.test(webhook.uuid))._unsafeUnwrap()).toMatchObject({
      failure: 'The receiver answered with status 500.',
    })
    expect(await open.storage.notices.count(everything)).toBe(0)
  })
})

describe('the log of notices', () => {
  it('has each crossing of a soft limit and each ended split, once', async () => {
    const open = await openStorage()
    await createQtree(open, 'qt1')
    const at = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }
    const rule = { ...at, type: 'tree', qtree: 'qt1', limits: { spaceSoft: 2 ** 20 } } as const
    const { job } = (await open.storage.quotaRules.create(rule))._unsafeUnwrap()
    await ended(open, job)
    await setQuota(open, true)
    const kinds = async () => (await open.storage.notices.list(firstPage)).records.map(({ notice: one }) => one.kind)
    open.volume.files.write('qt1/f', { size: 2 ** 21 })
    await until(async () => (await kinds()).includes('soft-limit-exceeded'))
    open.volume.files.remove('qt1/f')
    await until(async () => (await kinds()).includes('soft-limit-normal'))
    open.volume.files.write('f', { size: 2 ** 20 })
    const clone = { ...at, source: 'f', destination: 'g', split: true }
    await ended(open, (await open.storage.fileClones.create(clone))._unsafeUnwrap())
    await until(() => count(open, 'split.done') > 0)
    expect(await kinds()).toEqual(['soft-limit-exceeded', 'soft-limit-normal', 'split-done'])
    const { records } = await open.storage.notices.list(firstPage)
    for (const { notice: one } of records) expect(one).toMatchObject({ svm: open.vol1.svm, volume: { name: 'vol1' } })
  })

  it('loses notices after 30 days', async () => {
    const held = heldTimers()
    const minutes: (() => void)[] = []
    const scheduler: Scheduler = {
      after: (milliseconds, run) => {
        if (milliseconds !== 60_000) return held.scheduler.after(milliseconds, run)
        minutes.push(run)
        return () => {}
      },
    }
    const open = await openStorage({ scheduler })
    await publish(open, 1)
    open.clock.advance(29 * 86_400)
    await publish(open, 2)
    open.clock.advance(86_401)
    for (const run of minutes.splice(0)) run()
    await until(() => count(open, 'retention.removed') > 0)
    expect(open.emitted.find(([name]) => name === 'retention.removed')).toEqual(['retention.removed', 'notices', 1])
    const { records } = await open.storage.notices.list(firstPage)
    expect(records.map(({ notice: one }) => one.id)).toEqual(['notice-2'])
  })
})
