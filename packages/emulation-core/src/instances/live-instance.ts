import type { ConsoleHub } from '../consoles/console-hub.ts'
import type { OpenConsole } from '../consoles/console-listener.ts'
import type { RunningInstance } from '../emulators/running-instance.ts'
import type { Kind } from '../kinds/kind.ts'
import type { InstanceWiring } from '../links/instance-wiring.ts'
import type { InstanceState } from './instance.ts'

/** A running instance, with its wiring, its console and its console port. */
export interface LiveInstance {
  readonly kind: Kind
  readonly running: RunningInstance
  readonly wiring: InstanceWiring
  readonly hub: ConsoleHub
  listener: OpenConsole | undefined
  state: Exclude<InstanceState, 'stopped'>
}
