#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `The translator requires Node 22.19 or later, and this is Node ${process.versions.node}. Install a later version, or on Linux for x64 run "npm run from-litellm", which includes one.`,
  )
  process.exit(1)
}
await import('./src/from-litellm/main.ts')
