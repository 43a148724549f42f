import type { ConsoleHub } from '../consoles/console-hub.ts'
import type { ConsoleConnection, ConsoleConnectionEvents, OpenConsole } from '../consoles/console-listener.ts'
import type { RunningInstance } from '../emulators/running-instance.ts'
import type { Kind } from '../kinds/kind.ts'
import type { InstanceWiring } from '../links/instance-wiring.ts'
import type { ProjectId } from '../projects/project.ts'
import type { InstanceState } from './instance.ts'

/** Attaches a connection of the console port. `onRefused` is called once where it is closed as from a web page. */
export type ServeConsole = (connection: ConsoleConnection, onRefused: () => void) => ConsoleConnectionEvents

/** A running instance, with its wiring, its console and its console port. */
export interface LiveInstance {
  readonly kind: Kind
  readonly projectId: ProjectId
  readonly running: RunningInstance
  readonly wiring: InstanceWiring
  readonly hub: ConsoleHub
  /** Serves a connection of the console port. */
  readonly serve: ServeConsole
  listener: OpenConsole | undefined
  state: Exclude<InstanceState, 'stopped'>
}
