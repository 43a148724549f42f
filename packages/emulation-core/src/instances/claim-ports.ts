import { err, ok, type Result } from 'neverthrow'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { AllocatedPorts, PortField, PortNumbers } from '../kinds/kind-definition.ts'
import type { Undo } from '../with-undo.ts'

const USE = 'console'

/** Takes the ports of a new instance: first the requested ones, then the lowest free ones for the rest. */
export async function claimPorts(
  context: Pick<Context, 'ports'>,
  fields: readonly PortField[],
  requested: PortNumbers,
  undo: Undo,
): Promise<Result<AllocatedPorts, EmulationError>> {
  for (const field of fields) {
    const port = requested[field]
    if (port === undefined) continue
    const taken = await claimPort(context, port, undo)
    if (taken.isErr()) return err(taken.error)
  }
  return claimRest(context, fields, requested, undo)
}

/** Takes the lowest free ports for the fields that have none yet. */
async function claimRest(
  context: Pick<Context, 'ports'>,
  fields: readonly PortField[],
  taken: PortNumbers,
  undo: Undo,
): Promise<Result<AllocatedPorts, EmulationError>> {
  const claimed: Record<PortField, number> = { console: 0, monitor: 0 }
  for (const field of fields) {
    const own = taken[field]
    if (own !== undefined) {
      claimed[field] = own
      continue
    }
    const port = await context.ports.allocate(USE)
    if (port === undefined) return err({ type: 'ports-exhausted', use: USE, ...context.ports.range(USE) })
    undo(() => context.ports.release(USE, port), 'claim')
    claimed[field] = port
  }
  return ok(claimed)
}

/** Takes the ports of a closed project's instance again, or others where they are taken. */
export async function reclaimPorts(
  context: Pick<Context, 'ports'>,
  fields: readonly PortField[],
  before: PortNumbers,
  undo: Undo,
): Promise<Result<AllocatedPorts, EmulationError>> {
  const free: { -readonly [Field in PortField]?: number } = {}
  for (const field of fields) {
    const port = before[field]
    if (port !== undefined && (await claimPort(context, port, undo)).isOk()) free[field] = port
  }
  return claimRest(context, fields, free, undo)
}

/** Takes the ports that an update requests and the instance does not have. */
export async function exchangePorts(
  context: Pick<Context, 'ports'>,
  fields: readonly PortField[],
  before: PortNumbers,
  after: PortNumbers,
  undo: Undo,
): Promise<Result<undefined, EmulationError>> {
  const [old, requested] = [fields.map((field) => before[field]), fields.map((field) => after[field])]
  for (const [index, port] of requested.entries()) {
    if (port === undefined) continue
    if (requested.indexOf(port) < index) return err({ type: 'port-unavailable', use: USE, port, reason: 'taken' })
    if (old.includes(port)) continue
    const taken = await claimPort(context, port, undo)
    if (taken.isErr()) return err(taken.error)
  }
  return ok(undefined)
}

async function claimPort(
  { ports }: Pick<Context, 'ports'>,
  port: number,
  undo: Undo,
): Promise<Result<undefined, EmulationError>> {
  const claim = await ports.claim(USE, port)
  if (claim !== 'claimed') return err({ type: 'port-unavailable', use: USE, port, reason: claim })
  undo(() => ports.release(USE, port), 'claim')
  return ok(undefined)
}

export const releasePorts = ({ ports }: Pick<Context, 'ports'>, numbers: PortNumbers): void => {
  for (const port of [numbers.console, numbers.monitor]) if (port !== undefined) ports.release(USE, port)
}

/** Releases the ports that a stored update no longer uses. */
export function releaseExchanged(context: Pick<Context, 'ports'>, before: PortNumbers, after: PortNumbers): void {
  const kept = [after.console, after.monitor]
  const unlessKept = (port: number | undefined) => (kept.includes(port) ? undefined : port)
  releasePorts(context, { console: unlessKept(before.console), monitor: unlessKept(before.monitor) })
}

export const restorePorts = ({ ports }: Pick<Context, 'ports'>, numbers: PortNumbers): void => {
  for (const port of [numbers.console, numbers.monitor]) if (port !== undefined) ports.restore(USE, port)
}
