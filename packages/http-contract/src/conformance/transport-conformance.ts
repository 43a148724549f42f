import { describe } from 'vitest'
import { describeAborts } from './aborts.ts'
import { describeAnswers } from './answers.ts'
import { describeBodies } from './bodies.ts'
import { describeClosing } from './closing.ts'
import { describeConnections } from './connections.ts'
import { hostStarter } from './host-under-test.ts'
import { describeMalformed } from './malformed.ts'
import { describeMethods } from './methods.ts'
import { describeMounts } from './mounts.ts'
import { describePaths } from './paths.ts'
import { describeRequests } from './requests.ts'
import { skipTests } from './skip-tests.ts'
import { describeSockets } from './sockets.ts'
import { describeCompression, describeStreams } from './streams.ts'
import type { Transport } from './transport.ts'
import { describeUploads } from './uploads.ts'

/**
 * Defines the tests that every transport passes, in one `describe` of vitest, run against a host that uses it. Call it
 * at the top level of a test file. Needs the packages `vitest` and `ws`.
 */
export function transportConformance({ name, serve, serveCompressed, except, exceptTests = {} }: Transport): void {
  describe(`${name} as a transport`, () => {
    skipTests(exceptTests)
    const start = hostStarter(serve)
    describePaths(start)
    describeMethods(start)
    describeRequests(start)
    describeBodies(start, except)
    describeAnswers(start)
    describeStreams(start)
    describeAborts(start, except)
    describeConnections(start)
    describeMalformed(start, except)
    describeMounts(start)
    describeUploads(start)
    describeSockets(start, except)
    describeClosing(start, except)
    if (serveCompressed) describeCompression(hostStarter(serveCompressed))
  })
}
