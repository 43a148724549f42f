#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `Trivium needs Node 22.19 or newer and this is ${process.versions.node}; install a newer one, or on Linux for x64 run "npm start", which brings its own.`,
  )
  process.exit(1)
}
// Node 22 calls its SQLite experimental, which says nothing to whoever starts this.
const { emitWarning } = process
process.emitWarning = (warning, ...rest) => {
  if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning.call(process, warning, ...rest)
}
// What the first start compiled, later ones find, in a directory of this user alone: compiled code is run unchecked.
const { enableCompileCache } = await import('node:module')
const { lstatSync, mkdirSync } = await import('node:fs')
const { tmpdir } = await import('node:os')
const { join } = await import('node:path')
const user = process.getuid?.() ?? 0
const compiled = join(tmpdir(), `trivium-compiled-${user}`)
try {
  mkdirSync(compiled, { mode: 0o700 })
} catch {
  // It exists, or there is no cache.
}
const found = lstatSync(compiled, { throwIfNoEntry: false })
if (found?.isDirectory() && found.uid === user && (found.mode & 0o077) === 0) enableCompileCache(compiled)
await import('./src/main.ts')
