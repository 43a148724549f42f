import { resolve } from 'node:path'
import { describeHost } from './describe-host.ts'

// Node does not run decorators.
const tsconfig = resolve(import.meta.dirname, '../tsconfig.json')
describeHost('nest', { environment: { NODE_OPTIONS: '--import=tsx', TSX_TSCONFIG_PATH: tsconfig } })
