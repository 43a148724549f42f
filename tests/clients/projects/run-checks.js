/** The address of the gateway, without a path, and a key of it. */
export const gateway = { url: process.env.GATEWAY_URL, key: process.env.GATEWAY_KEY }
export const baseURL = `${gateway.url}/v1`
export const apiKey = gateway.key

const CHECK_TIMEOUT_MS = 20_000

/**
 * Runs the checks one after the other, each by its name, and prints one line of JSON for each result.
 *
 * @param {Readonly<Record<string, () => Promise<void>>>} checks
 */
export async function runChecks(checks) {
  for (const [name, check] of Object.entries(checks)) {
    const problem = await withinTime(check).then(
      () => null,
      (error) => describe(error).slice(0, 2000),
    )
    console.log(JSON.stringify({ name, problem }))
  }
  process.exit(0)
}

async function withinTime(check) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('takes longer than 20 seconds')), CHECK_TIMEOUT_MS)
  })
  await Promise.race([check(), late]).finally(() => clearTimeout(timer))
}

const describe = (error) =>
  error instanceof Error
    ? `${error.name}: ${error.message}${error.cause ? ` (${describe(error.cause)})` : ''}`
    : `${error}`

/** Returns what an upstream received since the last call, and what it refused. */
export async function recorded(upstream) {
  const response = await fetch(`${process.env[`${upstream}_UPSTREAM`]}/recorded`, { method: 'DELETE' })
  return response.json()
}

/** Collects a stream. */
export async function collect(stream) {
  const items = []
  for await (const item of stream) items.push(item)
  return items
}

/** The last text of the scripted upstreams. */
export const FINAL_TEXT = 'The upstream is done: 4 words.'
