import { Module } from '@nestjs/common'
import { SessionController } from './session.controller.ts'
import { SocketGateway } from './socket.gateway.ts'
import { Trivium } from './trivium.ts'

@Module({ controllers: [SessionController], providers: [SocketGateway, Trivium] })
export class AppModule {}
