import { Body, Controller, Get, HttpCode, Post, Session } from '@nestjs/common'
import type { SessionData } from 'express-session'
import * as v from 'valibot'

declare module 'express-session' {
  interface SessionData {
    user: string
  }
}

const login = v.object({ user: v.string() })

@Controller()
export class SessionController {
  @Get()
  read(@Session() session: Partial<SessionData>) {
    return { user: session.user ?? null }
  }

  /** A real application checks a password here. */
  @Post('login')
  @HttpCode(204)
  login(@Session() session: Partial<SessionData>, @Body({ schema: login }) { user }: v.InferOutput<typeof login>) {
    session.user = user
  }
}
