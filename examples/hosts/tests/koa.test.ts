import { describeHost } from './describe-host.ts'

describeHost('koa')
