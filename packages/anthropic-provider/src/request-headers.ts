/** Headers that the provider sets itself, about credentials or the body. A client never sets them. */
const reserved: ReadonlySet<string> = new Set(
  (
    'authorization x-api-key cookie proxy-authorization host accept accept-encoding content-type content-length ' +
    'content-encoding transfer-encoding connection user-agent x-request-id'
  ).split(' '),
)

const BETA = 'anthropic-beta'

/**
 * Returns the headers of a client for one request. Those that the host sets stay the host's, except `anthropic-beta`, which
 * has the betas of both.
 *
 * @param client names in lower case
 */
export function requestHeaders(
  client: Readonly<Record<string, string>>,
  host: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const own = Object.fromEntries(Object.entries(host).map(([name, value]) => [name.toLowerCase(), value]))
  const passed = Object.entries(client).filter(([name]) => !reserved.has(name) && own[name] === undefined)
  const betas = [...new Set([...betasIn(own[BETA]), ...betasIn(client[BETA])])]
  return { ...Object.fromEntries(passed), ...(betas.length > 0 ? { [BETA]: betas.join(',') } : {}) }
}

const betasIn = (header = ''): readonly string[] =>
  header
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '')
