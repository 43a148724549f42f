import { setIpv4UdpChecksums } from './checksums.ts'
import { byteAt, ipv4At, wordAt } from './frame-reader.ts'
import { natNetwork } from './nat-network.ts'

const ETHERNET = 14
const [IPV4, UDP, SERVER, CLIENT] = [0x0800, 17, 67, 68]
const UDP_HEADER = ETHERNET + 20
const BOOTP = UDP_HEADER + 8
/** Offsets in the message. */
const [FLAGS, YOUR_ADDRESS, HARDWARE] = [10, 16, 28]

/**
 * Addresses an answer of the DHCP server to its client, as RFC 2131 has it for clients that do not ask for broadcasts.
 * The program always broadcasts, without a checksum of UDP, which VPCS does not accept. Other frames stay as they are.
 */
export function deliveredLease(frame: Uint8Array): Uint8Array {
  const isLease =
    wordAt(frame, 12) === IPV4 &&
    byteAt(frame, ETHERNET + 9) === UDP &&
    ipv4At(frame, ETHERNET + 12) === natNetwork.ipv4.gateway &&
    wordAt(frame, UDP_HEADER) === SERVER &&
    wordAt(frame, UDP_HEADER + 2) === CLIENT &&
    frame.length >= BOOTP + HARDWARE + 6
  if (!isLease) return frame
  const delivered = frame.slice()
  const address = frame.subarray(BOOTP + YOUR_ADDRESS, BOOTP + YOUR_ADDRESS + 4)
  const wantsBroadcast = (wordAt(frame, BOOTP + FLAGS) & 0x8000) !== 0
  // A refused request has no address.
  if (!wantsBroadcast && address.some((byte) => byte !== 0)) {
    delivered.set(frame.subarray(BOOTP + HARDWARE, BOOTP + HARDWARE + 6), 0)
    delivered.set(address, ETHERNET + 16)
  }
  setIpv4UdpChecksums(delivered)
  return delivered
}
