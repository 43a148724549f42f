/** The port to which a page sends messages of WebRTC, and the name in each. */
export interface PeerTarget {
  readonly port: number
  /** 4 to 256 characters of ICE: letters, digits, `+` and `/`. */
  readonly name: string
}

/** Runs in a page: requests a relay over TCP. @returns the address that the browser reports once the server closes the connection */
export async function requestRelay({ port }: PeerTarget): Promise<string> {
  const peer = new RTCPeerConnection({
    iceServers: [{ urls: `turn:127.0.0.1:${port}?transport=tcp`, username: 'name', credential: 'word' }],
  })
  const reported = new Promise<string>((resolve) => {
    peer.addEventListener('icecandidateerror', ({ url }) => resolve(url))
  })
  peer.createDataChannel('x')
  await peer.setLocalDescription(await peer.createOffer())
  const url = await reported
  peer.close()
  return url
}

/** Runs in a page: makes the browser try to connect to a peer at the port. */
export async function connectToPeer({ port, name }: PeerTarget): Promise<void> {
  const peer = new RTCPeerConnection()
  peer.createDataChannel('x')
  const offer = await peer.createOffer()
  await peer.setLocalDescription(offer)
  const sdp = (offer.sdp ?? '')
    .replace(/a=ice-ufrag:.*/, `a=ice-ufrag:${name}`)
    .replace('a=setup:actpass', 'a=setup:active')
  await peer.setRemoteDescription({ type: 'answer', sdp })
  const candidate = `candidate:1 1 tcp 2105524479 127.0.0.1 ${port} typ host tcptype passive`
  await peer.addIceCandidate({ candidate, sdpMid: '0', sdpMLineIndex: 0 })
}
