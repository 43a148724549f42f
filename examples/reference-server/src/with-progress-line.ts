import cluster from 'node:cluster'

const ANNOUNCE_AFTER_MS = 1000

/** Runs a step of work, and prints its name on a line once it has taken 1 second, unless another process does. */
export async function withProgressLine<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
  if (cluster.isWorker) return work()
  const timer = setTimeout(() => console.log(`${step} …`), ANNOUNCE_AFTER_MS)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
  }
}
