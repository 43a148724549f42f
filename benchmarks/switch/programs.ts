import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const hasProgram = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

export interface Programs {
  path(name: 'traffic' | 'floor' | 'floor-batched'): string
  /** Whether the traffic can be sent through a VDE switch. */
  readonly supportsVde: boolean
  /** The directory for further files of contestants. */
  readonly directory: string
  remove(): void
}

/** Compiles the C programs in this directory. `undefined` where there is no compiler. */
export function compilePrograms(): Programs | undefined {
  if (!hasProgram('cc')) return undefined
  const directory = mkdtempSync(join(tmpdir(), 'switch-benchmark-'))
  const supportsVde = existsSync('/usr/include/libvdeplug.h')
  const libraries = { before: supportsVde ? ['-DVDE'] : [], after: supportsVde ? ['-lvdeplug'] : [] }
  for (const name of ['traffic', 'floor', 'floor-batched']) {
    const { before, after } = name === 'traffic' ? libraries : { before: [], after: [] }
    const source = join(import.meta.dirname, `${name}.c`)
    execFileSync('cc', ['-O2', ...before, '-o', join(directory, name), source, ...after], { stdio: 'inherit' })
  }
  return {
    path: (name) => join(directory, name),
    supportsVde,
    directory,
    remove: () => rmSync(directory, { recursive: true }),
  }
}
