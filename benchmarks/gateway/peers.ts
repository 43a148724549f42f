import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const directory = join(import.meta.dirname, '../peers')

/** Installs the other gateways with the versions of the lock file, where they are absent. */
export function installPeers(): void {
  if (existsSync(join(directory, 'node_modules/@portkey-ai/gateway'))) return
  const { status } = spawnSync('npm', ['ci', '--prefix', directory], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`npm ci of ${directory} failed`)
}
