import { describeHost } from './describe-host.ts'

describeHost('express', { opensConsolesBySession: true })
