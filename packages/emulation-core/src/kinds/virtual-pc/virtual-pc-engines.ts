import type { Emulator } from '../../emulators/emulator.ts'
import type { VirtualPcEngine } from './settings.ts'

/** The emulators of virtual PCs of one server. */
export interface VirtualPcEnginesOptions {
  /** Runs virtual PCs in this process. */
  readonly embedded: Emulator<'virtual-pc'>
  /** Runs virtual PCs as VPCS processes. */
  readonly vpcs: Emulator<'virtual-pc'>
  /** The engine of virtual PCs that are created without one. @default 'embedded' */
  readonly defaultEngine?: VirtualPcEngine
}

/**
 * Joins two emulators of virtual PCs to one, which runs each PC by the engine that was chosen at its creation.
 *
 * @example
 * ```ts
 * import { virtualPcEmulator } from '@trivium/embedded-emulators'
 * import { virtualPcEngines } from '@trivium/emulation-core'
 * import { vpcsEmulator } from '@trivium/process-emulators/vpcs'
 *
 * // For `createEmulation`.
 * export const emulators = {
 *   'virtual-pc': virtualPcEngines({ embedded: virtualPcEmulator(), vpcs: vpcsEmulator() }),
 * }
 * ```
 */
export function virtualPcEngines({
  embedded,
  vpcs,
  defaultEngine = 'embedded',
}: VirtualPcEnginesOptions): Emulator<'virtual-pc'> {
  const engines = { embedded, vpcs }
  const both = Object.values(engines)
  return {
    kind: 'virtual-pc',
    async check({ engine = defaultEngine, ...settings }) {
      const chosen = { ...settings, engine }
      return (await engines[engine].check?.(chosen)) ?? chosen
    },
    start: (instance, wiring, options) =>
      engines[instance.settings.engine ?? defaultEngine].start(instance, wiring, options),
    async remove(instance) {
      for (const emulator of both) await emulator.remove?.(instance)
    },
    async endOrphans(orphans) {
      for (const emulator of both) await emulator.endOrphans?.(orphans)
    },
    async close() {
      for (const emulator of both) await emulator.close?.()
    },
  }
}
