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
// What the first start compiled, later ones find.
const { enableCompileCache } = await import('node:module')
enableCompileCache()
await import('./src/main.ts')
