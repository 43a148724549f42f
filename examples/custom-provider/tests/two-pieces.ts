import { connect } from 'node:net'

/** A slow model: its prompt is a port of loopback, and it says its second word when it is told to there. */
const prompt = (await process.stdin.setEncoding('utf8').toArray()).join('')
const teller = connect(Number(prompt), '127.0.0.1')
process.stdout.write('first ')
teller.once('data', () => {
  process.stdout.write('last')
  teller.end()
})
