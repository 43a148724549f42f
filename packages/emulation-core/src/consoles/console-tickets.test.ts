import { describe, expect, it } from 'vitest'
import type { InstanceId } from '../instances/instance.ts'
import type { ProjectId } from '../projects/project.ts'
import { createConsoleTickets } from './console-tickets.ts'

const reference = { projectId: 'p' as ProjectId, kind: 'virtual-pc', id: 'i' as InstanceId } as const

describe('createConsoleTickets', () => {
  it('issues a ticket that opens its console once', async () => {
    const tickets = createConsoleTickets({ now: () => new Date(0), lifetimeSeconds: 30, limit: 10 })
    const { ticket, expiresAt } = await tickets.issue(reference)
    expect(expiresAt).toEqual(new Date(30_000))
    expect(ticket).toMatch(/^[0-9a-f]{64}$/)
    expect(await tickets.redeem(reference, ticket)).toBe(true)
    expect(await tickets.redeem(reference, ticket)).toBe(false)
    expect(await tickets.redeem(reference, 'made up')).toBe(false)
  })

  it('refuses a ticket for another console', async () => {
    const tickets = createConsoleTickets({ now: () => new Date(0), lifetimeSeconds: 30, limit: 10 })
    const { ticket } = await tickets.issue(reference)
    expect(await tickets.redeem({ ...reference, id: 'other' as InstanceId }, ticket)).toBe(false)
  })

  it('refuses a ticket that has expired, and the oldest beyond the limit', async () => {
    let time = 0
    const tickets = createConsoleTickets({ now: () => new Date(time), lifetimeSeconds: 30, limit: 2 })
    const issued = [await tickets.issue(reference), await tickets.issue(reference), await tickets.issue(reference)]
    expect(await tickets.redeem(reference, issued[0]?.ticket ?? '')).toBe(false)
    expect(await tickets.redeem(reference, issued[1]?.ticket ?? '')).toBe(true)
    time = 30_000
    expect(await tickets.redeem(reference, issued[2]?.ticket ?? '')).toBe(false)
  })
})
