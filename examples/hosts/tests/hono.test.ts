import { describeHost } from './describe-host.ts'

describeHost('hono')
