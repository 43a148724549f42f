import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import { findInstance } from '../instances/find-instance.ts'
import type { InstanceId, InstanceReference } from '../instances/instance.ts'
import type { LiveInstance } from '../instances/live-instance.ts'
import type { Kind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import type { CommandOutput } from './command-output.ts'
import type { CommandRequest } from './command-request.ts'
import type { ConsoleHub } from './console-hub.ts'
import { openTerminal } from './console-terminal.ts'
import { type ConsoleTicket, createConsoleTickets } from './console-tickets.ts'
import type { DisplayEndpoint } from './display-endpoint.ts'
import { runCommand } from './run-command.ts'

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
  /**
   * Types a command and Enter on the console of a running instance, and reads its output until the prompt comes again.
   * Viewers of the console see both.
   *
   * Without a `prompt` in the request, Enter is pressed first, until two presses in turn are answered by the same last
   * line: that is the prompt. So the call also waits for a machine that still starts. The output ends where the console is
   * quiet for 0.1 seconds after that line, or for a second after one that resembles it, such as `R1(config)#` after
   * `R1#`. Where the output stops at `--More--`, a space is typed.
   *
   * Succeeds also where the output has not ended in time. An error means that the command was not typed:
   * `instance-not-started`, `console-absent`, `console-busy` while another command runs on the console, `limit-reached`,
   * and `prompt-absent` where no prompt has come in time or the console asks who logs in.
   */
  run(reference: InstanceReference, request: CommandRequest): ResultAsync<CommandOutput, EmulationError>
  /** Issues a ticket for a client that cannot send credentials when it opens a console. Valid once, for 30 seconds. */
  issueTicket(reference: InstanceReference): ResultAsync<ConsoleTicket, EmulationError>
  /** Uses up a ticket in any case. @returns whether it was for this console, not used before and not expired */
  redeemTicket(reference: InstanceReference, ticket: string): Promise<boolean>
}

/** The console of a running instance. */
interface LiveConsole {
  readonly id: InstanceId
  readonly kind: Kind
  readonly name: string
  readonly live: LiveInstance
}

const DEFAULT_TIMEOUT_SECONDS = 10
/** The most characters of a last line in an error. */
const LONGEST_SHOWN = 80

const TICKET_SECONDS = 30
const TICKET_LIMIT = 10_000

export function createConsoles(context: Context): Consoles {
  const findLive = async <K extends Kind>(
    reference: InstanceReference<K>,
  ): Promise<Result<LiveConsole, EmulationError>> => {
    await context.recovered()
    const found = await findInstance(context, reference)
    if (found.isErr()) return err(found.error)
    const { id, kind, name, settings } = found.value
    if (!kinds[kind].hasConsole(settings)) return err({ type: 'console-absent', kind, name })
    const live = context.live.get(id)
    return live ? ok({ id, kind, name, live }) : err({ type: 'instance-not-started', kind, name })
  }
  const find = (reference: InstanceReference) => new ResultAsync(findLive(reference)).map(({ live }) => live.hub)

  /** The instances on whose consoles a command runs. */
  const busy = new Set<InstanceId>()
  const run = async (
    reference: InstanceReference,
    { command, prompt, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, interrupt = false, signal }: CommandRequest,
  ): Promise<Result<CommandOutput, EmulationError>> => {
    const found = await findLive(reference)
    if (found.isErr()) return err(found.error)
    const { id, kind, name, live } = found.value
    if (!live.running.console) return err({ type: 'console-absent', kind, name })
    if (busy.has(id)) return err({ type: 'console-busy', kind, name })
    const limit = context.limits.consoleCommands
    if (busy.size >= limit) return err({ type: 'limit-reached', what: 'commands at the same time', limit })
    const { hub } = live
    const terminal = openTerminal(hub, { timeoutMs: timeoutSeconds * 1000, signal })
    if (!terminal) return err({ type: 'limit-reached', what: 'viewers', limit: hub.viewers })
    busy.add(id)
    try {
      const done = await runCommand(terminal, { command, prompt, interrupt })
      return done.mapErr(({ stop, shown }) =>
        stop === 'closed'
          ? { type: 'instance-not-started', kind, name }
          : { type: 'prompt-absent', kind, name, shown: shown.slice(-LONGEST_SHOWN) },
      )
    } finally {
      busy.delete(id)
    }
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
    find,
    display: (reference) => new ResultAsync(display(reference)),
    run: (reference, request) => new ResultAsync(run(reference, request)),
    issueTicket: (reference) => find(reference).map(() => tickets.issue(reference)),
    redeemTicket: tickets.redeem,
  }
}
