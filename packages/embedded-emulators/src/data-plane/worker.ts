import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { DatagramBatches } from '../datagrams/datagram-batches.ts'
import { serveDataPlane } from './serve-data-plane.ts'
import type { WorkerParts } from './worker-parts.ts'

if (parentPort !== null) {
  const port = parentPort
  const { batchesFile, ...parts }: WorkerParts = workerData
  const batches: DatagramBatches | undefined = batchesFile && createRequire(import.meta.url)(batchesFile)
  const receive = serveDataPlane({ ...parts, batches }, (messages, transferred) =>
    port.postMessage(messages, transferred),
  )
  port.on('message', receive)
}
