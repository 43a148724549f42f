const PATIENCE_MS = 1000

/** Does a step of work, and says what it is, in a line of its own, once it has taken a second. */
export async function announced<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
  const timer = setTimeout(() => console.log(`${step} …`), PATIENCE_MS)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
  }
}
