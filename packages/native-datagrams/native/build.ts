import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const source = join(import.meta.dirname, 'datagrams.c')

/** The compilers of Debian on x64 (packages gcc, gcc-aarch64-linux-gnu), by architecture. */
const compilers = { x64: 'x86_64-linux-gnu-gcc', arm64: 'aarch64-linux-gnu-gcc' }

export type Architecture = keyof typeof compilers
export const architectures: readonly Architecture[] = ['x64', 'arm64']

/** The path and name that node-gyp-build searches for, for every version of Node and each C library. */
export const binaryOf = (architecture: Architecture): string =>
  join(import.meta.dirname, '..', 'prebuilds', `linux-${architecture}`, 'node.napi.node')

/** The digest of the source, which each binary contains. */
export const sourceDigest = (): string => createHash('sha256').update(readFileSync(source)).digest('hex')

const flags = [
  ...['-O2', '-Wall', '-Wextra', '-Werror', '-fPIC', '-shared', '-fvisibility=hidden', '-fno-stack-protector'],
  ...['-nostdlib', '-s', '-Wl,-z,relro,-z,now', '-Wl,--build-id=none'],
]

/** Compiles the binary of an architecture, and replaces the old one atomically. */
function build(architecture: Architecture): string {
  const binary = binaryOf(architecture)
  mkdirSync(join(binary, '..'), { recursive: true })
  const unfinished = `${binary}.${process.pid}`
  const headers = join(createRequire(import.meta.url).resolve('node-api-headers/package.json'), '..', 'include')
  const digest = `-DSOURCE_DIGEST="${sourceDigest()}"`
  execFileSync(compilers[architecture], [...flags, digest, '-I', headers, '-o', unfinished, source], {
    stdio: 'inherit',
  })
  renameSync(unfinished, binary)
  return binary
}

if (process.argv[1] === import.meta.filename) for (const architecture of architectures) console.log(build(architecture))
