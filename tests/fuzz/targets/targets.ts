import type { FuzzTarget } from '../fuzz-target.ts'
import { emulationTarget } from './emulation-target.ts'
import { gatewayTarget } from './gateway-target.ts'
import { storageTarget } from './storage-target.ts'

export const targets: readonly FuzzTarget[] = [gatewayTarget, emulationTarget, storageTarget]
