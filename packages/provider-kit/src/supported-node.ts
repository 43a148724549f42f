import * as zlib from 'node:zlib'

// undici reads this function while it is loaded. Node has it since 22.15, and other runtimes have it too.
if (!('createZstdDecompress' in zlib)) {
  throw new Error(`@trivium/provider-kit needs Node 22.19 or newer; this is ${process.version}.`)
}
