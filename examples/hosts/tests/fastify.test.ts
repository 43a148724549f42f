import { describeHost } from './describe-host.ts'

describeHost('fastify')
