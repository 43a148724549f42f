import type { OnModuleDestroy } from '@nestjs/common'
import { MessageBody, SubscribeMessage, WebSocketGateway, WebSocketServer } from '@nestjs/websockets'
import type { WebSocketServer as Server } from 'ws'

@WebSocketGateway({ path: '/own/socket' })
export class SocketGateway implements OnModuleDestroy {
  @WebSocketServer()
  readonly sockets?: Server

  /** Runs before the server closes, which waits for its sockets. */
  onModuleDestroy() {
    for (const socket of this.sockets?.clients ?? []) socket.close(1001)
  }

  @SubscribeMessage('say')
  say(@MessageBody() text: string) {
    return { event: 'said', data: `Own: ${text}` }
  }
}
