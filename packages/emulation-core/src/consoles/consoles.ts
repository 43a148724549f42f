import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import { findInstance } from '../instances/find-instance.ts'
import type { InstanceReference } from '../instances/instance.ts'
import type { Kind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import type { ConsoleHub } from './console-hub.ts'
import { type ConsoleTicket, createConsoleTickets } from './console-tickets.ts'
import type { DisplayEndpoint } from './display-endpoint.ts'

/** Consoles of running instances, for viewers that do not use the plain TCP port. */
export interface Consoles {
  /**
   * Finds the console of a running instance, to attach viewers to it. Fails with `instance-not-started`, and with
   * `console-absent` where the instance has no console.
   */
  find(reference: InstanceReference): ResultAsync<ConsoleHub, EmulationError>
  /**
   * Finds the display of a running instance, to attach viewers of VNC to it. Fails with `instance-not-started`, and with
   * `display-absent` where the instance runs without one.
   */
  display(reference: InstanceReference): ResultAsync<DisplayEndpoint, EmulationError>
  /** Issues a ticket for a client that cannot send credentials when it opens a console. Valid once, for 30 seconds. */
  issueTicket(reference: InstanceReference): ResultAsync<ConsoleTicket, EmulationError>
  /** Uses up a ticket in any case. @returns whether it was for this console, not used before and not expired */
  redeemTicket(reference: InstanceReference, ticket: string): Promise<boolean>
}

const TICKET_SECONDS = 30
const TICKET_LIMIT = 10_000

export function createConsoles(context: Context): Consoles {
  const find = async <K extends Kind>(reference: InstanceReference<K>): Promise<Result<ConsoleHub, EmulationError>> => {
    await context.recovered()
    const found = await findInstance(context, reference)
    if (found.isErr()) return err(found.error)
    const { id, kind, name, settings } = found.value
    if (!kinds[kind].hasConsole(settings)) return err({ type: 'console-absent', kind, name })
    const live = context.live.get(id)
    return live ? ok(live.hub) : err({ type: 'instance-not-started', kind, name })
  }
  const display = async (reference: InstanceReference): Promise<Result<DisplayEndpoint, EmulationError>> => {
    await context.recovered()
    const found = await findInstance(context, reference)
    if (found.isErr()) return err(found.error)
    const { id, kind, name } = found.value
    const live = context.live.get(id)
    if (!live) return err({ type: 'instance-not-started', kind, name })
    const { display: endpoint } = live.running
    return endpoint?.protocol === 'vnc' ? ok(endpoint) : err({ type: 'display-absent', kind, name })
  }
  const tickets = createConsoleTickets({ now: context.now, lifetimeSeconds: TICKET_SECONDS, limit: TICKET_LIMIT })
  return {
    find: (reference) => new ResultAsync(find(reference)),
    display: (reference) => new ResultAsync(display(reference)),
    issueTicket: (reference) => new ResultAsync(find(reference)).map(() => tickets.issue(reference)),
    redeemTicket: tickets.redeem,
  }
}
