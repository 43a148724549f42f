import { execFileSync } from 'node:child_process'
import { hasProgram } from './programs.ts'

export interface LinuxBridge {
  /** The beginning of a command that uses its interfaces. */
  readonly command: readonly string[]
  readonly interfaces: readonly [string, string]
  remove(): void
}

const sides = ['left', 'right'] as const

/**
 * Creates a bridge of the kernel with two pairs of virtual Ethernet, in a network namespace of its own. `undefined` where
 * this process lacks the rights.
 */
export function openLinuxBridge(): LinuxBridge | undefined {
  if (!hasProgram('ip')) return undefined
  const space = `switch-benchmark-${process.pid}`
  const ip = (...words: readonly string[]) => execFileSync('ip', words, { stdio: 'ignore' })
  const inside = (...words: readonly string[]) => ip('-n', space, ...words)
  try {
    ip('netns', 'add', space)
  } catch {
    return undefined
  }
  const remove = () => ip('netns', 'del', space)
  try {
    inside('link', 'add', 'bridge', 'type', 'bridge', 'stp_state', '0', 'forward_delay', '0')
    for (const side of sides) {
      inside('link', 'add', 'name', side, 'type', 'veth', 'peer', 'name', `${side}-port`)
      inside('link', 'set', `${side}-port`, 'master', 'bridge')
      for (const name of [side, `${side}-port`]) inside('link', 'set', name, 'up')
    }
    inside('link', 'set', 'bridge', 'up')
    return { command: ['ip', 'netns', 'exec', space], interfaces: sides, remove }
  } catch {
    remove()
    return undefined
  }
}
