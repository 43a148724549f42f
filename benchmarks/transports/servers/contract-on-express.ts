import { expressRoutes } from '@trivium/express-adapter'
import express from 'express'
import { routes } from '../contract-routes.ts'
import { listen } from './listen.ts'

export const start = (): Promise<number> => listen(express().use(expressRoutes(routes)))
