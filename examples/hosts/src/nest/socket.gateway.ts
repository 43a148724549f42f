import { MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets'

@WebSocketGateway({ path: '/own/socket' })
export class SocketGateway {
  @SubscribeMessage('say')
  say(@MessageBody() text: string) {
    return { event: 'said', data: `Own: ${text}` }
  }
}
