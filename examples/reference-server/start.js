#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `Trivium requires Node 22.19 or later, and this is Node ${process.versions.node}. Install a later version, or on Linux for x64 run "npm start", which includes one.`,
  )
  process.exit(1)
}
// Node 22 warns that its SQLite is experimental, which does not help the operator.
const { emitWarning } = process
process.emitWarning = (warning, ...rest) => {
  if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning.call(process, warning, ...rest)
}
// Later starts reuse the compiled code. Its directory must be private, because compiled code runs unchecked.
const { enableCompileCache } = await import('node:module')
const { lstatSync, mkdirSync } = await import('node:fs')
const { tmpdir } = await import('node:os')
const { join } = await import('node:path')
const user = process.getuid?.() ?? 0
const compiled = join(tmpdir(), `trivium-compiled-${user}`)
try {
  mkdirSync(compiled, { mode: 0o700 })
} catch {
  // The directory exists, or the server starts without a cache.
}
const found = lstatSync(compiled, { throwIfNoEntry: false })
if (found?.isDirectory() && found.uid === user && (found.mode & 0o077) === 0) enableCompileCache(compiled)
const { default: cluster } = await import('node:cluster')
const { bundled } = await import('./bundle/bundled.js')
const entry = cluster.isWorker ? './src/workers/main.ts' : './src/main.ts'
await import(bundled(entry) ?? entry)
