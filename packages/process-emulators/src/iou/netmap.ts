/** What a router can have: 16 adapters of 4 ports. */
const ADAPTERS = 16
const PORTS = 4

/** Application ids are 1 to 511; a router's other end, where iouyap listens, is this much higher. */
export const PEER_OFFSET = 512

/** Joins every port of the router with the same port of its other end. */
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
