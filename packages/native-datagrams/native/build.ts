import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// The path and name that node-gyp-build searches for. The binary works with all versions of Node, and requires glibc.
const directory = join(import.meta.dirname, '..', 'prebuilds', `${process.platform}-${process.arch}`)
const binary = join(directory, 'node.napi.glibc.node')

const headers = (): string =>
  join(createRequire(import.meta.url).resolve('node-api-headers/package.json'), '..', 'include')

/** Returns why the binary cannot be built on this machine; `undefined` where it can. */
export const unsupportedReason = (): string | undefined => {
  if (process.platform !== 'linux') return 'it supports Linux only'
  if (spawnSync('cc', ['--version']).status !== 0) return 'there is no C compiler (Debian packages gcc, libc6-dev)'
  return undefined
}

/** Compiles the binary for this platform into `prebuilds`, and replaces an old one atomically. @returns its path */
export const build = (): string => {
  mkdirSync(directory, { recursive: true })
  const unfinished = `${binary}.${process.pid}`
  const flags = ['-O2', '-Wall', '-Wextra', '-Werror', '-fPIC', '-shared', '-fvisibility=hidden', '-Wl,-z,relro,-z,now']
  const source = join(import.meta.dirname, 'datagrams.c')
  execFileSync('cc', [...flags, '-I', headers(), '-o', unfinished, source], { stdio: 'inherit' })
  renameSync(unfinished, binary)
  return binary
}

if (process.argv[1] === import.meta.filename) {
  const reason = unsupportedReason()
  if (reason === undefined) console.log(build())
  else console.warn(`The native binary is not built: ${reason}. Everything works without it.`)
}
