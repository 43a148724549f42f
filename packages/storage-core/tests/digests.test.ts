import { createStorage } from '@trivium/storage-core'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { expect, it } from 'vitest'
import type { Mail } from '../src/digests/mailer.ts'
import { openHttp } from './open-http.ts'
import { type OpenStorage, openStorage, until } from './open-storage.ts'

const MINUTE = 60

/** A mailer that fails as often as it is set to. */
function fakeMailer() {
  const mails: Mail[] = []
  let failures = 0
  return {
    mails,
    fail: (times: number) => {
      failures = times
    },
    send: async (mail: Mail) => {
      failures -= 1
      mails.push(mail)
      if (failures >= 0) throw new Error('550 mailbox full')
    },
  }
}

const publish = (
  { storage, clock, vol1 }: OpenStorage,
  id: string,
  kind: 'split-done' | 'grace-ended' = 'split-done',
) =>
  storage.notices.publish({
    id,
    kind,
    at: clock.now(),
    svm: vol1.svm,
    volume: { uuid: vol1.uuid, name: vol1.name },
    path: 'c1\nBcc: x@y',
  })

it('collects the notices of 15 minutes to one message for each recipient', async () => {
  const mailer = fakeMailer()
  const recipients = [{ to: 'ada@example.com' }, { to: 'grace@example.com', kinds: ['grace-ended'] }] as const
  const open = await openStorage({ mail: { mailer, recipients } })
  await publish(open, 'n1')
  open.clock.advance(10 * MINUTE)
  await publish(open, 'n2', 'grace-ended')
  open.clock.advance(5 * MINUTE)
  await until(() => mailer.mails.length === 1)
  const [mail] = mailer.mails
  expect(mail).toMatchObject({ to: 'ada@example.com', subject: 'Trivium: 2 notices' })
  expect(mail?.id).toMatch(/^[0-9a-f]{32}$/)
  expect(mail?.text.split('\n')).toEqual([
    expect.stringMatching(/^2026-01-02T03:04:05.000Z split\.done svm1:vol1 path="c1\\nBcc: x@y"$/),
    expect.stringMatching(/quota\.grace_ended/),
    '',
  ])
  open.clock.advance(10 * MINUTE)
  await until(() => mailer.mails.length === 2)
  expect(mailer.mails[1]).toMatchObject({ to: 'grace@example.com', subject: 'Trivium: 1 notice' })
  expect(open.faults).toEqual([])
})

it('sends a message again that failed, with the same id, also after a restart', async () => {
  const repositories = memoryStorageRepositories()
  const mailer = fakeMailer()
  const mail = { mailer, recipients: [{ to: 'ada@example.com' }] }
  const open = await openStorage({ repositories, mail })
  mailer.fail(2)
  await publish(open, 'n1')
  open.clock.advance(15 * MINUTE)
  await until(() => open.faults.length === 1)
  await publish(open, 'n2')
  open.clock.advance(MINUTE)
  await until(() => open.faults.length === 2)
  await open.storage.close()
  open.clock.advance(MINUTE)
  await openStorage({ repositories, mail, clock: open.clock })
  await until(() => mailer.mails.length === 3)
  expect(new Set(mailer.mails.map(({ id }) => id)).size).toBe(1)
  expect(new Set(mailer.mails.map(({ text }) => text)).size).toBe(1)
  open.clock.advance(15 * MINUTE)
  await until(() => mailer.mails.length === 4)
  expect(mailer.mails[3]?.id).not.toBe(mailer.mails[0]?.id)
})

it.each([
  ['a line break', [{ to: 'ada@example.com\r\nBcc: x@y' }]],
  ['two addresses', [{ to: 'ada@example.com,grace@example.com' }]],
  ['no address', [{ to: 'ada' }]],
  ['an address twice', [{ to: 'ada@example.com' }, { to: 'ada@example.com' }]],
  ['101 recipients', Array.from({ length: 101 }, (_, index) => ({ to: `u${index}@example.com` }))],
])('refuses recipients with %s', (_, recipients) => {
  expect(() => createStorage({ mail: { mailer: fakeMailer(), recipients } })).toThrow(/mail\.recipients/)
})

it('sends a test on request, and returns why it was not sent', async () => {
  const mailer = fakeMailer()
  const recipients = [{ to: 'ada@example.com' }, { to: 'grace@example.com', kinds: ['grace-ended'] }] as const
  const http = await openHttp({ mail: { mailer, recipients } })
  const path = '/api/support/mail/recipients'
  const listed = (await http.get(`${path}?fields=*&order_by=address`)).body
  expect(JSON.stringify(listed.records)).not.toContain('_links')
  expect(listed).toMatchObject({
    num_records: 2,
    records: [{ address: 'ada@example.com' }, { address: 'grace@example.com', kinds: ['quota.grace_ended'] }],
  })
  expect(await http.post(`${path}/ada%40example.com/test`, {})).toMatchObject({
    status: 200,
    body: { delivered: true },
  })
  expect(mailer.mails).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      to: 'ada@example.com',
      subject: 'Trivium: test',
      text: expect.any(String),
    },
  ])
  mailer.fail(1)
  expect((await http.post(`${path}/grace@example.com/test`, {})).body).toEqual({
    delivered: false,
    message: '550 mailbox full',
  })
  for (const address of ['eve@example.com', 'x'.repeat(300)]) {
    const refused = await http.post(`${path}/${address}/test`, {})
    expect(refused).toMatchObject({ status: 404, body: { error: { code: '4', target: 'address' } } })
  }
  expect(mailer.mails).toHaveLength(2)
})

it('has no recipients without a mailer', async () => {
  const http = await openHttp()
  expect((await http.get('/api/support/mail/recipients')).body.num_records).toBe(0)
  expect((await http.post('/api/support/mail/recipients/ada@example.com/test', {})).status).toBe(404)
})
