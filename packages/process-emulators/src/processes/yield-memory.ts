import { readFile, writeFile } from 'node:fs/promises'

/** Between the usual 0 and the 1000 of what always goes first. */
const FIRST_TO_GO = 500

/**
 * When memory runs out, the operating system ends this process before the server; and a crash writes none of its memory,
 * which is a guest's, into a core file. Its children inherit both. Where that can't be set it is left as it is.
 */
export async function yieldMemory(pid: number): Promise<void> {
  const own = Number(await readFile('/proc/self/oom_score_adj', 'utf8').catch(() => '0'))
  await Promise.all([
    writeFile(`/proc/${pid}/oom_score_adj`, `${Math.max(own, FIRST_TO_GO)}`).catch(() => {}),
    writeFile(`/proc/${pid}/coredump_filter`, '0').catch(() => {}),
  ])
}
