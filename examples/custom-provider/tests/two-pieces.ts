import { connect } from 'node:net'

/** A slow model. Its prompt is a port of loopback, where it waits for a message before it writes its second word. */
const prompt = (await process.stdin.setEncoding('utf8').toArray()).join('')
const control = connect(Number(prompt), '127.0.0.1')
process.stdout.write('first ')
control.once('data', () => {
  process.stdout.write('last')
  control.end()
})
