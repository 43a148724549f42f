import { describeHost } from './describe-host.ts'

describeHost('express')
