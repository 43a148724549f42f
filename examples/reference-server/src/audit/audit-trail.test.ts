import type { AnsweredRequest } from '@trivium/http-contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AuditEntry } from './audit-log.ts'
import { auditTrail } from './audit-trail.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const refusedFrom = (
  remoteAddress: string,
  refusal: AnsweredRequest['refusal'] = 'wrong_password',
): AnsweredRequest => ({
  operation: 'listKeys',
  method: 'GET',
  path: '/v1/auth/keys',
  administrative: true,
  caller: undefined,
  remoteAddress,
  requestId: 'req_1',
  status: 401,
  refusal,
  subject: {},
})

function recorded() {
  const entries: AuditEntry[] = []
  const trail = auditTrail({ write: (entry) => entries.push(entry), close: async () => undefined })
  return { entries, trail }
}

it('writes the first refusal of an address immediately, and further ones as a count each minute', () => {
  const { entries, trail } = recorded()
  for (let second = 0; second < 120; second += 1) {
    for (let index = 0; index < 1000; index += 1) trail.answered('gateway', refusedFrom('192.0.2.1'))
    vi.advanceTimersByTime(1000)
  }
  expect(entries.map(({ count }) => count)).toEqual([undefined, 59_999, undefined, 59_999])
})

it('writes at most 101 lines a minute for a reason, and counts every refusal', async () => {
  const { entries, trail } = recorded()
  for (let index = 0; index < 50_000; index += 1)
    trail.answered('gateway', refusedFrom(`10.0.${index >> 8}.${index & 255}`))
  await trail.close()
  expect(entries).toHaveLength(101)
  expect(entries.at(-1)).toMatchObject({ from: 'others', reason: 'wrong_password', count: 49_900 })
})

it('writes the first connection of an address to a console immediately, and further ones as a count', async () => {
  const { entries, trail } = recorded()
  const place = { projectId: 'p', instanceId: 'i', port: 'console' } as const
  for (let index = 0; index < 50; index += 1) trail.consoleOpened(place, '127.0.0.1')
  trail.consoleOpened({ ...place, port: 'monitor' }, '127.0.0.1')
  for (let index = 0; index < 200; index += 1) trail.consoleOpened(place, `127.0.1.${index}`)
  await trail.close()
  const subject = { project_id: 'p', vm_id: 'i', port: 'console' }
  expect(entries[0]).toMatchObject({ event: 'console', from: '127.0.0.1', service: 'emulation', subject })
  expect(entries[1]).toMatchObject({ event: 'console', subject: { port: 'monitor' } })
  expect(entries).toHaveLength(102)
  expect(entries.slice(100)).toMatchObject([
    { event: 'console', from: '127.0.0.1', subject, count: 49 },
    { event: 'console', from: 'others', count: 102 },
  ])
})

it('names an address with wrong passwords while 1,000 others lack credentials', () => {
  const { entries, trail } = recorded()
  for (let index = 0; index < 1000; index += 1)
    trail.answered('gateway', refusedFrom(`10.0.${index >> 8}.${index & 255}`, 'missing_credentials'))
  trail.answered('gateway', refusedFrom('192.0.2.1'))
  expect(entries.at(-1)).toMatchObject({ from: '192.0.2.1', reason: 'wrong_password' })
})

it('counts the IPv6 addresses of one /64 network as one source', async () => {
  const { entries, trail } = recorded()
  for (let index = 1; index <= 1000; index += 1)
    trail.answered('gateway', refusedFrom(`2001:db8:0:1::${index.toString(16)}`))
  trail.answered('gateway', refusedFrom('2001:db8:0:2::1'))
  await trail.close()
  expect(entries.map(({ from, count }) => [from, count])).toEqual([
    ['2001:db8:0:1::1', undefined],
    ['2001:db8:0:2::1', undefined],
    ['2001:db8:0:1::/64', 999],
  ])
})
