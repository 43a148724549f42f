/** A router has at most 16 adapters with 4 ports each. */
const ADAPTERS = 16
const PORTS = 4

/** Application ids are 1 to 511. The id of the other end, where iouyap listens, is higher by this. */
export const PEER_OFFSET = 512

/** The content of a `NETMAP` file that joins every port of the router with the same port of its other end. */
export function netmap(applicationId: number): string {
  const lines: string[] = []
  for (let adapter = 0; adapter < ADAPTERS; adapter += 1) {
    for (let port = 0; port < PORTS; port += 1) {
      const place = `${adapter}/${port}`
      lines.push(`${applicationId + PEER_OFFSET}:${place}${String(applicationId).padStart(5)}:${place}\n`)
    }
  }
  return lines.join('')
}
