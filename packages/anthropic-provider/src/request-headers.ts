/** Headers that the provider sets itself, about credentials or the body. A client never sets them. */
const reserved: ReadonlySet<string> = new Set(
  (
    'authorization x-api-key cookie proxy-authorization host accept accept-encoding content-type content-length ' +
    'content-encoding transfer-encoding connection user-agent x-request-id'
  ).split(' '),
)

const BETA = 'anthropic-beta'

/**
 * Returns what selects the headers of a request from its client's. Those that the host sets stay the host's, except
 * `anthropic-beta`, which has the betas of both. Names of the client are in lower case.
 */
export function requestHeadersWith(
  host: Readonly<Record<string, string>>,
): (client: Readonly<Record<string, string>>) => Readonly<Record<string, string>> {
  const own = Object.fromEntries(Object.entries(host).map(([name, value]) => [name.toLowerCase(), value]))
  const ownBetas = betasIn(own[BETA])
  return (client) => {
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(client)) {
      if (!reserved.has(name) && own[name] === undefined) headers[name] = value
    }
    const betas = new Set([...ownBetas, ...betasIn(client[BETA])])
    if (betas.size > 0) headers[BETA] = [...betas].join(',')
    return headers
  }
}

const betasIn = (header = ''): readonly string[] =>
  header
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '')
